import { useState } from 'react'
import { Notice } from '../parts/notice.tsx'
import { offerFile } from '../parts/offer-file.ts'
import { useTask } from '../parts/use-task.ts'
import { loadWayOut } from '../session/load-way-out.ts'
import { TEXTS } from '../texts.ts'

/** Saves the page that needs no service, beside the backup that it opens. */
export function WayOutSection() {
  const [sha256, setHash] = useState<string | null>(null)
  const { isRunning, failure, run } = useTask()
  const { wayOut } = TEXTS
  const save = () =>
    run(async () => {
      const loaded = await loadWayOut()
      offerFile(loaded.file, 'wallet-way-out.html')
      setHash(loaded.sha256)
    })
  return (
    <section className="sheet stack" aria-labelledby="way-out-heading">
      <h2 id="way-out-heading">{wayOut.title}</h2>
      <p className="hint">{wayOut.lead}</p>
      {sha256 !== null && (
        <Notice kind="good">
          <p>{wayOut.done}</p>
          <p className="hash">{sha256}</p>
          <p className="hint">{wayOut.hash}</p>
        </Notice>
      )}
      {failure && <Notice kind="bad">{failure}</Notice>}
      <button type="button" className="button quiet wide" disabled={isRunning} onClick={save}>
        {isRunning ? TEXTS.loading : wayOut.save}
      </button>
    </section>
  )
}
