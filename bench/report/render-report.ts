import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { printTable } from './print-table.ts'
import type { Results } from './results.ts'

const require = createRequire(import.meta.url)

/** Policy of a self-contained page: it forbids itself to load anything. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

/** The results as one HTML file with plots. */
export function renderReport(results: Results): string {
  const library = readFileSync(
    join(require.resolve('uplot/package.json'), '../dist/uPlot.iife.min.js'),
    'utf8',
  )
  const libraryStyle = readFileSync(
    join(require.resolve('uplot/package.json'), '../dist/uPlot.min.css'),
    'utf8',
  )
  const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>Benchmark of ${escapeHtml(results.startedAt)}</title>
<style>${libraryStyle}
${own('report.css')}</style>
</head>
<body>
<h1>Benchmark of ${escapeHtml(results.startedAt)}</h1>
<main></main>
<h2>Table</h2>
<pre>${escapeHtml(printTable(results))}</pre>
<script type="application/json" id="results">${JSON.stringify(results).replaceAll('<', String.raw`\u003c`)}</script>
<script>${library}</script>
<script>${own('report.js')}</script>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
