/* global uPlot */
// Draws the results that the page carries: bars with whiskers for each part, and latencies by percentile.
const { rows, latencies } = JSON.parse(document.getElementById('results').textContent)
const main = document.querySelector('main')
const COLOURS = ['#3056d3', '#d9822b', '#1f9d6b', '#a33ec2', '#c23e4f', '#5b6475']
const WIDTH = Math.min(1040, document.documentElement.clientWidth - 32)

function section(title, about) {
  const heading = document.createElement('h2')
  heading.textContent = title
  const text = document.createElement('p')
  text.textContent = about
  const plot = document.createElement('div')
  main.append(heading, text, plot)
  return plot
}

const label = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Lines from the smallest to the largest round, and the median's figure above. */
const whiskers = (spreads) => (plot) => {
  const { ctx } = plot
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = '#1d2433'
  ctx.lineWidth = devicePixelRatio
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'center'
  for (const [index, { median, min, max }] of spreads.entries()) {
    const x = plot.valToPos(index, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, plot.valToPos(min, 'y', true))
    ctx.lineTo(x, plot.valToPos(max, 'y', true))
    ctx.stroke()
    ctx.fillText(label(median), x, plot.valToPos(max, 'y', true) - 5 * devicePixelRatio)
  }
  ctx.restore()
}

function drawBars(part, members) {
  const isWall = members.some(({ compared }) => compared === 'wall') || members.some(({ cpuMs }) => !cpuMs)
  const spreads = members.map((row) => (isWall ? row.wallMs : row.cpuMs))
  const names = members.map(({ name }) => name.slice(part.length + 1))
  const place = section(
    part,
    `${isWall ? 'Wall' : 'CPU'} milliseconds per operation: median of the rounds, smallest and largest.`,
  )
  const top = Math.max(...spreads.map(({ max }) => max))
  const plot = new uPlot(
    {
      width: WIDTH,
      height: 320,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: [-0.6, members.length - 0.4] }, y: { range: [0, top * 1.12] } },
      axes: [
        {
          splits: () => members.map((_, index) => index),
          values: () => names,
          grid: { show: false },
          rotate: names.length > 7 ? -25 : 0,
          size: 70,
        },
        { label: 'ms', size: 60 },
      ],
      series: [
        {},
        {
          fill: '#8fa6ee',
          stroke: COLOURS[0],
          paths: uPlot.paths.bars({ size: [0.6, 90] }),
          points: { show: false },
        },
      ],
      hooks: { draw: [whiskers(spreads)] },
    },
    [members.map((_, index) => index), spreads.map(({ median }) => median)],
  )
  place.append(plot.root)
}

function drawLatencies(series) {
  const place = section('latencies', 'Milliseconds of single requests, by percentile.')
  const shares = Array.from({ length: 100 }, (_, index) => index + 1)
  const at = (sorted, share) => sorted[Math.ceil((share / 100) * sorted.length) - 1]
  const plot = new uPlot(
    {
      width: WIDTH,
      height: 320,
      scales: { x: { time: false }, y: { distr: 3 } },
      axes: [{ label: 'percentile' }, { label: 'ms', size: 70 }],
      series: [
        { label: 'percentile' },
        ...series.map(([name], index) => ({
          label: name,
          stroke: COLOURS[index % COLOURS.length],
          width: 2,
          points: { show: false },
        })),
      ],
    },
    [shares, ...series.map(([, sorted]) => shares.map((share) => at(sorted, share)))],
  )
  place.append(plot.root)
}

for (const [part, members] of Object.entries(Object.groupBy(rows, ({ name }) => name.split('.')[0])))
  drawBars(part, members)
const measured = Object.entries(latencies).filter(([, sorted]) => sorted.length > 0)
if (measured.length > 0) drawLatencies(measured)
