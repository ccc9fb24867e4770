import { html, type Html } from './html.ts'

/** `/docs`: the operations, the guide and the Markdown documents as a page, drawn by Scalar. */
export function apiReferencePage(): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/api-reference.css" />
        <script src="/docs/scalar.js" defer></script>
        <script src="/docs/api-reference.js" defer></script>
      </head>
      <body>
        <div id="reference"></div>
        <noscript>
          The reference needs JavaScript; its source is <a href="/openapi.json">/openapi.json</a>.
        </noscript>
      </body>
    </html> `
}
