// Copies the address, and says when a payment has arrived. Nothing is stored.
const copy = document.getElementById('copy')
if (copy && navigator.clipboard) {
  copy.hidden = false
  const show = (text) => (copy.textContent = text)
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(copy.dataset.text).then(() => show('Copied'))
    setTimeout(() => show('Copy'), 2_000)
  })
}

const state = document.getElementById('state')
const paid = document.getElementById('paid')
if (state) {
  const { ticket, wanted, token, chain } = state.dataset
  const events = new EventSource(`${location.pathname.replace(/\/$/, '')}/events?ticket=${ticket}`)
  state.hidden = false
  events.addEventListener('message', ({ data }) => showPayments(JSON.parse(data), { wanted, token, chain }))
  events.addEventListener('error', () => {
    // The browser connects again, unless the visit has ended.
    if (events.readyState === EventSource.CLOSED)
      state.textContent = 'This page no longer sees payments. The address stays good.'
  })
}

function showPayments(payments, { wanted, token, chain }) {
  paid.replaceChildren(...payments.map((payment) => lineOf(payment)))
  const isAsked = (payment) =>
    (!chain || String(payment.chainId) === chain) &&
    (!token || payment.token.toLowerCase() === token.toLowerCase())
  const sum = payments.filter(isAsked).reduce((total, { amount }) => total + BigInt(amount), 0n)
  if (sum === 0n) state.textContent = 'Waiting for the payment'
  else if (wanted && sum < BigInt(wanted)) state.textContent = 'A part has arrived'
  else state.textContent = 'Paid. You can close this page.'
  state.classList.toggle('good', sum > 0n && (!wanted || sum >= BigInt(wanted)))
}

function lineOf({ amount, decimals, symbol, chain }) {
  const line = document.createElement('li')
  line.textContent = `${write(BigInt(amount), decimals)} ${symbol} on ${chain}`
  return line
}

function write(amount, decimals) {
  const digits = String(amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}
