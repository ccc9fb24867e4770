import { STANDING_ALARMS, type StandingAlarm } from '../alarms.ts'
import type { RaisedAlarm } from '../observation/alarm-board.ts'
import type { Health } from '../observation/health-routes.ts'
import { formatAge } from './format.ts'
import { html, type Html } from './html.ts'

/** Alarms that hide the figures of the database. */
const OF_DATABASE = new Set<string>(['DATABASE_DOWN', 'DATABASE_FULL'])

/** The headline: the worst alarm, what to do, and the others below it. */
export function headline(health: Health, alarms: readonly RaisedAlarm[], now: number): Html {
  const [worst, ...others] = alarms
  if (!worst) return healthLine(health)
  const { message, hurts, action } = STANDING_ALARMS[worst.code]
  const colour = health.ready ? (worst.level === 'error' ? 'failing' : 'waiting') : 'bad'
  return html`<section class="alarm" data-alarm="${worst.code}">
    ${healthLine(health, colour)}
    <h2>${placeOf(worst)}${message}</h2>
    <p>${worst.detail}, for ${formatAge(now - worst.since)}</p>
    <p>${hurts}</p>
    <p><b>${plainOf(action)}</b> ${link(worst)}</p>
    ${alarms.some(({ code }) => OF_DATABASE.has(code)) ? html`<p>Figures of the database are those from before.</p>` : null}
    ${
      others.length > 0
        ? html`<ul>
            ${others.map((alarm) => row(alarm, now))}
          </ul>`
        : null
    }
  </section>`
}

function healthLine({ ready, checks }: Health, colour = ready ? 'good' : 'bad'): Html {
  const failing = Object.entries(checks).filter(([, { ok }]) => !ok)
  return html`<p class="health ${colour}">
    ${ready ? 'Ready' : 'Not ready'}${failing.map(
      ([name, { detail }]) => html` · ${name}${detail ? `: ${detail}` : ''}`,
    )}
  </p>`
}

const row = (alarm: RaisedAlarm, now: number) =>
  html`<li data-alarm="${alarm.code}">
    ${placeOf(alarm)}${STANDING_ALARMS[alarm.code].message}: ${alarm.detail}, for
    ${formatAge(now - alarm.since)} ${link(alarm)}
  </li>`

const link = ({ code }: RaisedAlarm) => html`<a href="/alarms#${code}">${code}</a>`

const placeOf = ({ chainId }: RaisedAlarm) => (chainId === null ? '' : `Chain ${chainId}: `)

/** Markdown as plain text: code marks and links go. */
const plainOf = (markdown: string) => markdown.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** `/alarms`: the runbook, as OPERATING.md has it. */
export function runbookPage(): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Runbook</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/front-page.css" />
      </head>
      <body>
        <header>
          <h1>Runbook</h1>
          <p>What each alarm means, where to look, and what to do.</p>
          <nav><a href="/">Front page</a></nav>
        </header>
        <main>${Object.entries<StandingAlarm>(STANDING_ALARMS).map(entry)}</main>
      </body>
    </html> `
}

const entry = ([code, { message, hurts, check, action }]: [string, StandingAlarm]) =>
  html`<section id="${code}">
    <h2>${message} <small>${code}</small></h2>
    <dl>
      <dt>Who is hurt</dt>
      <dd>${hurts}</dd>
      <dt>Check</dt>
      <dd>${plainOf(check)}</dd>
      <dt>Do</dt>
      <dd>${plainOf(action)}</dd>
    </dl>
  </section>`
