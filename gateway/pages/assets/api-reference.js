// Starts the reference on this service's own document; nothing is asked of anybody else.
window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    validatorUrl: null,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  })
})
