// Starts the reference on this service's own document; it asks no other server.
window.Scalar.createApiReference('#reference', {
  url: '/docs/reference.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
})
