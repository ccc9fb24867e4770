import { TEXTS } from '../texts.ts'

/** Lines in grey, as long as a list is read. */
export function Ghosts() {
  return (
    <div aria-busy="true">
      <p className="unseen">{TEXTS.loading}</p>
      {[0, 1, 2].map((line) => (
        <div className="line ghost" key={line} aria-hidden="true">
          <span className="disc" />
          <div className="line-what">
            <span />
            <span />
          </div>
        </div>
      ))}
    </div>
  )
}
