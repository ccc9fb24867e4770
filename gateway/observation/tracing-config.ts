import { z } from 'zod'

/** Traces for an OpenTelemetry collector. */
export const tracingConfig = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Collector that receives traces by OTLP over HTTP, such as `http://127.0.0.1:4318`; the service appends ' +
        '`/v1/traces`. Without it nothing is traced.',
    ),
  authorization: z
    .string()
    .min(1)
    .optional()
    .describe('The header `Authorization` for the collector, a secret.'),
  sampleRatio: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The part of the requests that is traced. The draw is independent of what a client sends.'),
})

export type TracingConfig = z.output<typeof tracingConfig>
