// Plain JavaScript, so that an old Node can report its requirement instead of failing at the first .ts file.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Node.js 24 or newer is needed; this is ${process.version}.\n` +
      'On Linux "npm ci" installs it beside the project and "npm start" uses it; elsewhere install it from nodejs.org.',
  )
  process.exit(1)
}
// Threads and the devnet's programs read the variable; with an unwritable folder, only the gain is lost.
const { enableCompileCache } = await import('node:module')
const { fileURLToPath } = await import('node:url')
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled/', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('./main.ts')
