import { html, type Html } from './html.ts'

/** `/docs`: the OpenAPI document as a page. Its introduction is the document's description. */
export function apiReferencePage(): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
        <link rel="stylesheet" href="/docs/api-reference.css" />
        <script src="/docs/swagger-ui-bundle.js" defer></script>
        <script src="/docs/api-reference.js" defer></script>
      </head>
      <body>
        <main id="reference">
          <noscript
            >The reference needs JavaScript; its source is
            <a href="/openapi.json">/openapi.json</a>.</noscript
          >
        </main>
      </body>
    </html> `
}
