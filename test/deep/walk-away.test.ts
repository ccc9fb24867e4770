import {
  calculateContext,
  Circuits,
  generateMerkleProof,
  PrivacyPoolSDK,
  type Hash,
} from '@0xbow/privacy-pools-core-sdk'
import { pino } from 'pino'
import { AccountService, DataService, generateWithdrawalSecrets } from 'privacy-pools-sdk'
import { createWalletClient, http, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService } from '../../gateway/compose.ts'
import type { RunningService } from '../../gateway/compose/build-service.ts'
import { serviceConfig } from '../../gateway/config/config.ts'
import { poolEventsAbi } from '../devnet/pool-events.ts'
import { waitForApproval } from '../devnet/wallet/asp-client.ts'
import { connectWallet } from '../devnet/wallet/connect-wallet.ts'
import { encodeRagequit } from '../../schema/client/pool/encode-ragequit.ts'
import { openClient } from '../../schema/client/account/open-client.ts'
import { convert } from '../../schema/client/pool/convert.ts'
import { notePhrase } from '../../schema/client/pool/note-secrets.ts'
import { createPoolView } from '../../schema/client/pool/pool-state.ts'
import { readPool } from '../../schema/client/pool/read-pool.ts'
import { findHoldings } from '../../schema/client/recovery/find-holdings.ts'
import { planMoves } from '../../schema/client/recovery/plan-moves.ts'
import { openRecoveryChain } from '../../schema/client/recovery/recovery-chain.ts'
import { runMoves } from '../../schema/client/recovery/run-moves.ts'
import { spendTold } from '../../schema/client/pool/spend-told.ts'
import { waitForNotes } from '../../schema/client/pool/wait-for-notes.ts'
import { startProver, type Prover } from '../devnet/wallet/prover.ts'
import { encodeRelayData } from '../../relayer/pool/state/formulas.ts'
import { waitUntilIndexed } from '../harness/chain-actors.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { openedBy, scanAsPublished } from '../harness/scan-as-published.ts'
import { shareProvingPool } from '../harness/share-proving-pool.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { knownOf } from '../e2e/examples/demo/known-of.ts'

/** The chain and the association set provider are other people's: they outlive the service. */
let world: TestDevnet
let database: TestDatabase
let service: RunningService
let prover: Prover

beforeAll(async () => {
  world = await startTestDevnet({ asp: true })
  database = await openTestDatabase()
  const config = serviceConfig.parse({
    port: 0,
    logLevel: 'silent',
    storage: { databaseUrl: database.url, dataDir: world.dataDir },
    transact: { simulateTimeoutMs: 30_000, submissions: { conversionSpacingMs: 0 } },
  })
  service = await startService({
    config: { ...config, chains: world.devnet.chains },
    logger: pino({ level: 'silent' }),
    startProving: shareProvingPool,
  })
  prover = startProver()
})
afterAll(async () => {
  await prover?.close()
  await service?.stop()
  await database?.drop()
  await world?.[Symbol.asyncDispose]()
})

const ETHER = parseEther('1')
const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }

it('published software and the way out find, spend and take back the notes with the two keys, when the service is gone', async () => {
  const { chain } = world
  const { mnemonic } = notePhrase(keys.spendKey, keys.viewKey)
  const client = await openClient({ url: service.url, ...keys, chains: [knownOf(chain)] })
  const payer = connectWallet(chain, chain.accounts[3]!.privateKey)
  const pool = await readPool(payer.reader, { ...chain, token: zeroAddress })
  const view = createPoolView(client, pool, payer.reader)
  const { address, nonce } = await client.receive()
  const paid = await payer.sender.sendTransaction({ to: address, value: 3n * ETHER })
  await payer.reader.waitForTransactionReceipt({ hash: paid })
  await waitUntilIndexed({ database }, { chain, wallet: payer })

  await convert(client, { view, amount: ETHER, maxFee: ETHER })
  await convert(client, { view, amount: ETHER / 20n, maxFee: ETHER })
  await waitForNotes(
    client,
    view,
    (notes) => notes.length === 2 && notes.every(({ aspStatus }) => aspStatus === 'approved'),
  )
  let left = ETHER
  for (let turn = 0; turn < 3; turn += 1) {
    const asked = { view, amount: ETHER / 10n, recipient: payer.account.address, maxFee: ETHER / 100n }
    const told = { ...asked, prover, spacingMs: 0 }
    const { quote } = await spendTold(client, told)
    left -= quote.withdrawals.reduce((sum, { withdraws }) => sum + BigInt(withdraws), 0n)
    await waitForNotes(client, view, ([first]) => first?.withdrawalIndex === turn + 1)
  }
  const notes = await waitForNotes(client, view, () => true)
  expect(notes.map(({ value, withdrawalIndex }) => [value, withdrawalIndex])).toEqual([
    [left, 3],
    [ETHER / 20n, 0],
  ])
  const { notes: commitments } = await view.read()
  await service.stop()

  const { chainId, entrypoint, rpcUrl } = chain
  const node = await openRecoveryChain(rpcUrl, [{ chainId, name: 'Devnet', nativeSymbol: 'ETH', entrypoint }])
  const heldNotes = async () =>
    (await findHoldings(keys, [node])).holdings.flatMap((holding) =>
      holding.kind === 'note' ? [[holding.amount, holding.note.withdrawalIndex]] : [],
    )
  expect(await heldNotes()).toEqual(notes.map(({ value, withdrawalIndex }) => [value, withdrawalIndex]))

  const found = await scanAsPublished(chain, pool, mnemonic)
  expect(new Set(found.map(openedBy))).toEqual(new Set(notes.map(openedBy)))
  // Exactly the notes of pool/commitments, behind three changes in a row.
  const named = ({ label, value }: { label: unknown; value: bigint }, leaf: unknown) =>
    [leaf, label, value].map(String).join(' ')
  expect(new Set(found.map((note) => named(note, note.hash)))).toEqual(
    new Set(commitments.map((note) => named(note, note.commitment))),
  )

  const change = found.find(({ value }) => value > ETHER / 2n)
  const half = change!.value / 2n
  const recipient = privateKeyToAddress(generatePrivateKey())
  const logs = await payer.reader.getContractEvents({
    address: pool.pool,
    abi: poolEventsAbi,
    eventName: 'LeafInserted',
    fromBlock: 0n,
  })
  const aspAt = { aspUrl: world.devnet.asp!.url, chainId: chain.chainId, scope: BigInt(pool.scope) }
  const { aspLeaves } = await waitForApproval(aspAt, change!.label, AbortSignal.timeout(30_000))
  const stateMerkleProof = generateMerkleProof(
    logs.map(({ args }) => args._leaf!),
    change!.hash,
  )
  const aspMerkleProof = generateMerkleProof(aspLeaves, change!.label)
  const scope = BigInt(pool.scope) as Hash
  const data = encodeRelayData({ recipient, feeRecipient: recipient, relayFeeBps: 0n })
  const withdrawal = { processooor: chain.entrypoint, data }
  const { masterKeys } = new AccountService(new DataService([]), { mnemonic }).account
  const [masterNullifier, masterSecret] = masterKeys
  const next = generateWithdrawalSecrets({ masterNullifier, masterSecret }, change!.label, 3n)
  const sdk = new PrivacyPoolSDK(new Circuits({ browser: false }))
  const proof = await sdk.proveWithdrawal(change as never, {
    context: BigInt(calculateContext(withdrawal, scope)),
    withdrawalAmount: half,
    stateMerkleProof,
    aspMerkleProof,
    stateRoot: stateMerkleProof.root as Hash,
    stateTreeDepth: 32n,
    aspRoot: aspMerkleProof.root as Hash,
    aspTreeDepth: 32n,
    newNullifier: next.nullifier as never,
    newSecret: next.secret as never,
  })
  // Any party can relay: here one that has nothing to do with the service.
  const { privateKey } = chain.accounts[4]!
  const contracts = sdk.createContractInstance(chain.rpcUrl, payer.reader.chain, chain.entrypoint, privateKey)
  const { hash } = await contracts.relay(withdrawal, proof, scope)
  await payer.reader.waitForTransactionReceipt({ hash: hash as `0x${string}` })
  expect(await payer.reader.getBalance({ address: recipient })).toBe(half)
  const remaining = await scanAsPublished(chain, pool, mnemonic)
  expect(new Set(remaining.map(({ value }) => value))).toEqual(new Set([change!.value - half, ETHER / 20n]))
  const last = remaining.find(({ value }) => value === ETHER / 20n)

  // The depositor takes the rest back in the open, with the key of the address and the published proof.
  const depositor = client.controlOf(nonce)
  const { value, label, nullifier, secret } = last!
  const opened = await sdk.proveCommitment(value, label, nullifier, secret)
  expect(await sdk.verifyCommitment(opened)).toBe(true)
  const before = await payer.reader.getBalance({ address: depositor.address })
  const open = createWalletClient({
    account: depositor,
    chain: payer.reader.chain,
    transport: http(chain.rpcUrl),
  })
  const back = await open.sendTransaction({ to: pool.pool, data: encodeRagequit(opened as never) })
  const { gasUsed, effectiveGasPrice } = await payer.reader.waitForTransactionReceipt({ hash: back })
  expect(await payer.reader.getBalance({ address: depositor.address })).toBe(
    before + value - gasUsed * effectiveGasPrice,
  )

  // The way out brings the rest home: of a note that was spent four times in part, from an address that once delegated.
  expect(await heldNotes()).toEqual([[change!.value - half, 4]])
  const home = privateKeyToAddress(generatePrivateKey())
  const { holdings } = await findHoldings(keys, [node])
  const owned = holdings.reduce(
    (sum, { kind, ...held }) => sum + ('amount' in held && kind !== 'token' ? held.amount : 0n),
    0n,
  )
  const plan = await planMoves([node], holdings, { destination: home, mayJoin: true })
  expect(plan.short).toEqual([])
  expect(await runMoves(plan, { keys, chains: [node], prover, report: () => undefined })).toBe(true)
  const arrived = await payer.reader.getBalance({ address: home })
  const spentOnFees = plan.moves.reduce((sum, { fee }) => sum + fee, 0n)
  expect(arrived).toBeGreaterThanOrEqual(owned - spentOnFees)
  expect(arrived).toBeLessThan(owned)
  expect(await scanAsPublished(chain, pool, mnemonic)).toEqual([])
  expect((await findHoldings(keys, [node])).holdings).toEqual([])
})
