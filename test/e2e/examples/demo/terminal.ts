import type { Step } from '../../../../schema/client/requests/step.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
const CLEAR_LINE = '\r\u001B[2K'

/** The demo's output: a terminal gets a spinner, a file or a pipe gets plain lines. */
export interface Terminal {
  /** Begins a story: its name, and what it shows. */
  heading(name: string, about: string): void
  /** Prints a conclusion. */
  note(text: string): void
  detail(name: string, value: string): void
  /** Shows that work goes on, and for how long, until it settles; gives what it gives. */
  step: Step
}

export function openTerminal(out: NodeJS.WriteStream): Terminal {
  const print = (line: string) => out.write(`${line}\n`)
  return {
    heading: (name, about) => print(`\n${name}: ${about}\n`),
    note: (text) => print(`\n  ${text}`),
    detail: (name, value) => print(`      ${name.padEnd(12)} ${value}`),
    step: (text, work) => runStep(out, text, work),
  }
}

async function runStep<T>(
  out: NodeJS.WriteStream,
  text: string,
  work: (show: (state: string) => void) => Promise<T>,
): Promise<T> {
  const started = performance.now()
  const elapsed = () => {
    const milliseconds = Math.round(performance.now() - started)
    return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
  }
  let state = ''
  let frame = 0
  const draw = () => {
    frame += 1
    const line = `  ${FRAMES[frame % FRAMES.length]} ${text}${state && ` · ${state}`} (${elapsed()})`
    // A line that wraps could not be cleared.
    out.write(CLEAR_LINE + line.slice(0, (out.columns || Infinity) - 1))
  }
  const timer = out.isTTY ? setInterval(draw, FRAME_MS) : null
  const end = (mark: string) => {
    if (timer) clearInterval(timer)
    out.write(`${out.isTTY ? CLEAR_LINE : ''}  ${mark} ${text} (${elapsed()})\n`)
  }
  try {
    const result = await work((now) => {
      if (!out.isTTY && now !== state) out.write(`    … ${text} · ${now}\n`)
      state = now
    })
    end('✓')
    return result
  } catch (error) {
    end('✗')
    throw error
  }
}
