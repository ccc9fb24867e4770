// Loaded before a service: SIGUSR2 moves its clock 90 minutes ahead, and back again.
const RealDate = globalThis.Date
let aheadMs = 0

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length > 0) super(...given)
    else super(RealDate.now() + aheadMs)
  }
  static now() {
    return RealDate.now() + aheadMs
  }
}
process.on('SIGUSR2', () => (aheadMs = aheadMs === 0 ? 5_400_000 : 0))
