// Replaces the live part of the page with that of a newer one, while somebody looks.
const live = document.getElementById('live')
const lost = document.getElementById('lost')
let readAt = new Date()

async function refresh() {
  if (document.visibilityState !== 'visible') return
  try {
    const answer = await fetch('/', { headers: { accept: 'text/html' } })
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    live.replaceChildren(...page.getElementById('live').childNodes)
    live.classList.remove('stale')
    lost.hidden = true
    readAt = new Date()
  } catch {
    live.classList.add('stale')
    lost.textContent = `The service does not answer: this page is from ${readAt.toLocaleTimeString()}`
    lost.hidden = false
  }
}

setInterval(() => void refresh(), 3_000)
document.addEventListener('visibilitychange', () => void refresh())
