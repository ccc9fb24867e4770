/** Points of one curve: enough that the eye sees none. */
const STEPS = 288

/** A guilloche as on banknotes, drawn from nine numbers of a hash. */
export function Rosette({
  figure,
  size,
  label,
}: {
  figure: readonly number[]
  size: number
  label?: string
}) {
  const pick = (place: number, least: number, choices: number) => least + ((figure[place] ?? 0) % choices)
  const bands = [
    drawBand({ radius: 40, swing: 5 + pick(0, 0, 4), waves: pick(1, 8, 9), curves: pick(2, 6, 4) }),
    drawBand({ radius: 25, swing: 6 + pick(3, 0, 5), waves: pick(4, 5, 7), curves: pick(5, 5, 4) }),
    drawBand({ radius: 9, swing: 4 + pick(6, 0, 4), waves: pick(7, 3, 5), curves: pick(8, 4, 4) }),
  ]
  return (
    <svg
      className="rosette"
      viewBox="-50 -50 100 100"
      width={size}
      height={size}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {bands.map((path, place) => (
        <path key={place} d={path} />
      ))}
    </svg>
  )
}

interface Band {
  radius: number
  /** How far a curve leaves the radius. */
  swing: number
  waves: number
  /** How many curves are woven, each turned a little. */
  curves: number
}

function drawBand({ radius, swing, waves, curves }: Band): string {
  return Array.from({ length: curves }, (_, curve) => {
    const turned = (curve / curves) * 2 * Math.PI
    const points = Array.from({ length: STEPS }, (_, step) => {
      const angle = (step / STEPS) * 2 * Math.PI
      const distance = radius + swing * Math.cos(waves * angle + turned)
      return `${(distance * Math.cos(angle)).toFixed(1)} ${(distance * Math.sin(angle)).toFixed(1)}`
    })
    return `M${points.join('L')}Z`
  }).join('')
}
