// Lets the wallet's page open without a connection: the newest page that came, and the files that it loads. It answers for
// nothing else. Money needs the connection; the screens say so.

/** The parts of a service worker's scope that are used here: the types of pages do not have them. */
interface Scope {
  addEventListener(kind: 'install' | 'activate', listen: (event: LongEvent) => void): void
  addEventListener(kind: 'fetch', listen: (event: FetchEvent) => void): void
  addEventListener(kind: 'message', listen: (event: LongEvent & { data: readonly string[] }) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}
interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends LongEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}

const scope = globalThis as unknown as Scope
const SHELL = 'shell'
const PAGE = '/wallet'
const ASSETS = '/wallet/assets/'

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('message', (event) => event.waitUntil(keep(event.data)))
scope.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (event.request.method !== 'GET') return
  if (pathname === PAGE) event.respondWith(openPage(event.request))
  else if (pathname.startsWith(ASSETS)) event.respondWith(openAsset(event.request))
})

/** The page of the service; without a connection, the last one. */
async function openPage(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL)
  try {
    const page = await fetch(request)
    if (page.ok) await shell.put(PAGE, page.clone())
    return page
  } catch (error) {
    const last = await shell.match(PAGE)
    if (last) return last
    throw error
  }
}

/** Files have names by their content: one that was kept is the same. */
const openAsset = async (request: Request): Promise<Response> =>
  (await caches.match(request.url)) ?? fetch(request)

/** Keeps the files that an open page has loaded, and drops those of earlier versions. */
async function keep(paths: readonly string[]): Promise<void> {
  const shell = await caches.open(SHELL)
  const kept = new Set((await shell.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = new Set([PAGE, ...paths.filter((path) => path.startsWith(ASSETS))])
  const missing = [...wanted].filter((path) => !kept.has(path))
  await Promise.all(missing.map((path) => shell.add(path)))
  await Promise.all([...kept].filter((path) => !wanted.has(path)).map((path) => shell.delete(path)))
}
