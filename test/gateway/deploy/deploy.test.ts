import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { listInstanceRules, listStandingRules, type AlertRule } from '../../../gateway/deploy/print-rules.ts'
import { findProgram } from '../../harness/find-program.ts'

const run = promisify(execFile)
const DEPLOY = fileURLToPath(new URL('../../../gateway/deploy/', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const read = (file: string) => readFile(join(DEPLOY, file), 'utf8')
const SECRETS = [
  'master-key',
  'signer-key-1',
  'signer-key-2',
  'relay-signer-key-1',
  'relay-signer-key-2',
  'fee-receiver-key',
]

const promtool = findProgram('promtool', 'a test of the alert rules', 'prometheus')
const amtool = findProgram('amtool', 'a test of alertmanager.yml', 'prometheus-alertmanager')
const nginx = findProgram('nginx', 'a test of nginx.conf', 'nginx-light')
const caddy = findProgram('caddy', 'a test of the Caddyfile')
const systemd = findProgram('systemd-analyze', 'a test of the systemd unit', 'systemd')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Two instances that see one alarm, from the first to the third minute; which alerts Prometheus raises meanwhile. */
const testOfRule = ({ alert }: { alert: string }) => ({
  interval: '15s',
  input_series: ['one', 'two'].map((instance) => ({
    series: `alarms{code="${alert}",chain="1",instance="${instance}"}`,
    values: '0x3 1x8 0x8',
  })),
  alert_rule_test: [
    { eval_time: '45s', alertname: alert, exp_alerts: [] },
    ...listStandingRules().map((rule) => ({
      eval_time: '2m',
      alertname: rule.alert,
      exp_alerts:
        rule.alert === alert
          ? [{ exp_labels: { chain: '1', ...rule.labels }, exp_annotations: rule.annotations }]
          : [],
    })),
    { eval_time: '4m', alertname: alert, exp_alerts: [] },
  ],
})

/** Metrics of an instance with a fault of its own, and the times at which its alert is raised and ends. */
const INSTANCE_FAULTS: Readonly<
  Record<string, { series: readonly [string, string][]; before: string; during: string; after: string }>
> = {
  INSTANCE_DOWN: {
    series: [['up{job="stealth-relay",instance="one"}', '1x4 0x8 1x8']],
    before: '90s',
    during: '2m',
    after: '4m',
  },
  // One answer in eleven.
  ANSWERS_FAIL: {
    series: [
      ['http_request_duration_seconds_count{status="200"}', '0+100x160'],
      ['http_request_duration_seconds_count{status="500"}', '0+10x60 600x100'],
    ],
    before: '4m',
    during: '12m',
    after: '25m',
  },
  EVENT_LOOP_LATE: {
    series: [['nodejs_eventloop_lag_p99_seconds{job="stealth-relay",instance="one"}', '0.2x60 0x20']],
    before: '9m',
    during: '12m',
    after: '17m',
  },
}

const testOfInstanceRule = ({ alert, labels, annotations }: AlertRule) => {
  const { series, before, during, after } = INSTANCE_FAULTS[alert]!
  const [[first]] = series as [[string, string]]
  const instance = first.includes('instance=') ? { job: 'stealth-relay', instance: 'one' } : {}
  const alerts = [{ exp_labels: { ...instance, ...labels }, exp_annotations: annotations }]
  return {
    interval: '15s',
    input_series: series.map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      { eval_time: before, alertname: alert, exp_alerts: [] },
      { eval_time: during, alertname: alert, exp_alerts: alerts },
      { eval_time: after, alertname: alert, exp_alerts: [] },
    ],
  }
}

it.runIf(promtool)(
  'each alarm raises its own alert alone, once for all instances, and each fault of an instance its alert',
  async () => {
    await cp(join(DEPLOY, 'prometheus/alerts.yml'), join(folder, 'alerts.yml'))
    await expect(run(promtool!, ['check', 'rules', 'alerts.yml'], { cwd: folder })).resolves.toBeDefined()
    const tests = [...listStandingRules().map(testOfRule), ...listInstanceRules().map(testOfInstanceRule)]
    const file = { rule_files: ['alerts.yml'], evaluation_interval: '15s', tests }
    await writeFile(join(folder, 'tests.yml'), JSON.stringify(file))
    const { stdout } = await run(promtool!, ['test', 'rules', 'tests.yml'], { cwd: folder })
    expect(stdout).toContain('SUCCESS')
  },
)

it.runIf(promtool)('Prometheus understands every query of the dashboard', async () => {
  const queries = [...(await read('grafana/dashboard.json')).matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)]
  expect(queries.length).toBeGreaterThan(50)
  const rules = queries.map(([, expr], place) => ({
    record: `query_${place}`,
    expr: JSON.parse(expr!) as string,
  }))
  await writeFile(join(folder, 'queries.yml'), JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  const { stdout } = await run(promtool!, ['check', 'rules', 'queries.yml'], { cwd: folder })
  expect(stdout).toContain(`${rules.length} rules found`)
})

it.runIf(promtool)('Prometheus accepts its own settings', async () => {
  await cp(join(DEPLOY, 'prometheus'), join(folder, 'prometheus'), { recursive: true })
  const { stdout } = await run(promtool!, ['check', 'config', join(folder, 'prometheus/prometheus.yml')])
  expect(stdout).toContain('is valid prometheus config file syntax')
})

it.runIf(amtool)('Alertmanager accepts its settings', async () => {
  const { stdout } = await run(amtool!, ['check-config', join(DEPLOY, 'prometheus/alertmanager.yml')])
  expect(stdout).toContain('SUCCESS')
})

it('Alertmanager silences only alerts that there are', async () => {
  const { inhibit_rules: rules } = z
    .object({ inhibit_rules: z.array(z.record(z.string(), z.array(z.string()))) })
    .parse(parse(await read('prometheus/alertmanager.yml')))
  const raised = new Set([...listStandingRules(), ...listInstanceRules()].map(({ alert }) => alert))
  const named = JSON.stringify(rules).match(/[A-Z]+_[A-Z_]+/g) ?? []
  expect(named.length).toBeGreaterThan(6)
  for (const name of named) expect(raised).toContain(name)
})

it.runIf(nginx)('nginx accepts its settings', async () => {
  const certificate = join(folder, 'certificate.pem')
  const key = join(folder, 'key.pem')
  const subject = ['-subj', '/CN=app.example', '-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
  const site = (await read('nginx.conf'))
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
  await writeFile(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`,
  )
  const { stderr } = await run(nginx!, ['-t', '-c', join(folder, 'nginx.conf')])
  expect(stderr).toContain('test is successful')
  expect(stderr).not.toContain('[warn]')
})

it.runIf(caddy)('Caddy accepts its settings', async () => {
  const env = { ...process.env, SITE: 'app.example', HOME: folder }
  const config = ['--config', join(DEPLOY, 'Caddyfile'), '--adapter', 'caddyfile']
  const { stdout, stderr } = await run(caddy!, ['validate', ...config], { env })
  expect(`${stdout}${stderr}`).toContain('Valid configuration')
})

it.runIf(systemd && process.getuid?.() === 0)(
  'beside the service of systemd the admin command has its settings, environment and keys',
  async () => {
    const secrets = join(folder, 'secrets-of-root')
    await mkdir(secrets)
    for (const name of SECRETS) await writeFile(join(secrets, name), generatePrivateKey().slice(2))
    await cp(join(DEPLOY, 'config.example.json'), join(folder, 'config.json'))
    await writeFile(join(folder, 'environment'), '# a comment\n\nDEPLOY_KEY=no key & two words\n')
    const program = fileURLToPath(new URL('../../../gateway/admin/main.ts', import.meta.url))
    const script = (await read('stealth-relay-admin'))
      .replaceAll('/etc/stealth-relay/secrets', secrets)
      .replaceAll('/etc/stealth-relay', folder)
      .replace('/opt/stealth-relay/bin/node', process.execPath)
      .replace('/opt/stealth-relay/dist/admin.mjs', program)
    const file = join(folder, 'stealth-relay-admin')
    await writeFile(file, script)
    // The settings and their keys were read, because the only complaint is about the environment.
    await expect(run('sh', [file, 'deploy', '1'])).rejects.toMatchObject({
      stderr: 'DEPLOY_KEY is not a private key: write 64 hex digits\n',
    })
  },
)

it('the proxies write no paths beside addresses of clients', async () => {
  const nginxSettings = await read('nginx.conf')
  expect(nginxSettings.match(/\baccess_log .*/g)).toEqual(['access_log off;'])
  expect(nginxSettings.match(/\berror_log .*/g)).toEqual(['error_log stderr crit;'])
  const caddySettings = await read('Caddyfile')
  expect(caddySettings.match(/^\s*log\b.*/gm)).toEqual(['\tlog default {'])
  expect(caddySettings).toContain('exclude http.log.error')
})

it.runIf(systemd)('systemd accepts the unit, and finds little that an intruder could reach', async () => {
  const unit = join(folder, 'stealth-relay.service')
  const program = /\/opt\/stealth-relay\/bin\/node/
  await writeFile(unit, (await read('stealth-relay.service')).replace(program, process.execPath))
  await expect(run(systemd!, ['verify', unit])).resolves.toMatchObject({ stderr: '' })
  const { stdout } = await run(systemd!, ['security', '--offline=true', '--no-pager', unit])
  expect(Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2)
})

const composed = z.object({
  services: z.record(
    z.string(),
    z.object({
      configs: z.array(z.object({ source: z.string() })).default([]),
      secrets: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
    }),
  ),
  configs: z.record(z.string(), z.object({ file: z.string() })),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  volumes: z.record(z.string(), z.unknown()),
})

it('compose.yaml names only files, secrets, volumes and services that there are', async () => {
  const { services, configs, secrets, volumes } = composed.parse(parse(await read('compose.yaml')))
  for (const service of Object.values(services)) {
    for (const { source } of service.configs) expect(Object.keys(configs)).toContain(source)
    for (const secret of service.secrets) expect(Object.keys(secrets)).toContain(secret)
    for (const volume of service.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
    const others = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on)
    for (const other of others) expect(Object.keys(services)).toContain(other)
  }
  expect(Object.keys(secrets)).toEqual(SECRETS)
  for (const { file } of Object.values(configs))
    await expect(read(file.replace('config.json', 'config.example.json'))).resolves.not.toBe('')
})

it('compose.yaml has no password of its own, and the first day sets each', async () => {
  const text = await read('compose.yaml')
  const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  expect(asked).toEqual(new Set(['SITE', 'POSTGRES_PASSWORD', 'GRAFANA_PASSWORD']))
  const firstDay = await read('README.md')
  for (const name of asked) expect(firstDay).toContain(`${name}=`)
  const { services } = parse(text) as { services: Record<string, { environment?: Record<string, string> }> }
  expect(services['grafana']?.environment).toMatchObject({
    GF_SECURITY_ADMIN_PASSWORD: expect.stringContaining('GRAFANA_PASSWORD:?'),
  })
})

/** An object of Kubernetes, as far as every one of them is known. */
interface Manifest {
  apiVersion: string
  kind: string
  spec?: object
}

const readManifests = async () => {
  const texts = await Promise.all(['relay.yaml', 'migrate.yaml'].map((name) => read(`kubernetes/${name}`)))
  return texts.flatMap((text) => parseAllDocuments(text).map((one) => one.toJS() as Manifest))
}

/** Holds manifests against the published types of Kubernetes' API. @returns The words of the compiler; empty if they fit. */
async function findMisfits(manifests: readonly Manifest[]): Promise<string> {
  const lines = manifests.map(({ apiVersion, kind, ...rest }, place) => {
    const [group = '', version] = apiVersion.split('/')
    const types = version ? `${group.split('.')[0]}/${version}` : `core/${group}`
    const from = join(MODULES, 'kubernetes-types', types)
    const written = JSON.stringify({ apiVersion, kind, ...rest })
    return `import type { ${kind} as Kind${place} } from '${from}'\nexport const one${place}: Kind${place} = ${written}\n`
  })
  const file = join(folder, 'manifests.ts')
  await writeFile(file, lines.join(''))
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', '']
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler']
  return run(join(MODULES, '.bin/tsc'), [...options, ...modules, file]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

it('the manifests for Kubernetes have the members and types of its API', async () => {
  const manifests = await readManifests()
  expect(manifests.length).toBeGreaterThan(3)
  await expect(findMisfits(manifests)).resolves.toBe('')
  const [deployment] = manifests
  const misspelt = { ...deployment!, spec: { ...deployment!.spec, replica: 2 } }
  await expect(findMisfits([misspelt])).resolves.toMatch(/replica.*does not exist in type 'DeploymentSpec'/)
})

it('in a cluster each port admits one namespace alone, by the name that its container gives it', async () => {
  const [deployment, , , policy] = parseAllDocuments(await read('kubernetes/relay.yaml')).map((one) =>
    one.toJS(),
  ) as unknown[]
  const names = deployed.parse(deployment).spec.template.spec.containers[0]?.ports.map(({ name }) => name)
  const rules = admitted.parse(policy).spec.ingress
  expect(rules.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(names)
  for (const { from } of rules) expect(from).toHaveLength(1)
})

const deployed = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(z.object({ ports: z.array(z.object({ name: z.string() })) })),
      }),
    }),
  }),
})
const admitted = z.object({
  spec: z.object({
    ingress: z.array(
      z.object({ ports: z.array(z.object({ port: z.string() })), from: z.array(z.unknown()) }),
    ),
  }),
})

it('the manifests for Kubernetes mount what the kustomization makes, and nothing else', async () => {
  const made = parse(await read('kubernetes/kustomization.yaml')) as Record<
    string,
    { name: string; files?: string[] }[]
  >
  const documents = parseAllDocuments(await read('kubernetes/relay.yaml')).map((one) => {
    expect(one.errors).toEqual([])
    return one.toJS() as Record<string, never>
  })
  expect(documents.map(({ kind }) => kind)).toEqual([
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'NetworkPolicy',
  ])
  const mounted = JSON.stringify(documents[0]).matchAll(
    /"(?:configMap|secretRef)":\{"name":"([^"]+)"|"secretName":"([^"]+)"/g,
  )
  const generated = [...made['configMapGenerator']!, ...made['secretGenerator']!]
  expect(new Set([...mounted].map(([, one, other]) => one ?? other))).toEqual(
    new Set(generated.map(({ name }) => name)),
  )
  const keys = generated.find(({ name }) => name === 'stealth-relay-keys')
  expect(keys?.files).toEqual(SECRETS.map((name) => `secrets/${name}`))
})

it('the job for Kubernetes runs only when asked, and has the database’s address without any key', async () => {
  const kustomization = parse(await read('kubernetes/kustomization.yaml')) as { resources: string[] }
  expect(kustomization.resources).toEqual(['relay.yaml', 'migrate.yaml'])
  const job = parse(await read('kubernetes/migrate.yaml')) as { kind: string; spec: { suspend: boolean } }
  expect([job.kind, job.spec.suspend]).toEqual(['CronJob', true])
  const text = JSON.stringify(job)
  expect(text).toContain('"envFrom":[{"secretRef":{"name":"stealth-relay-environment"}}]')
  expect(text).toContain('"/app/admin.mjs","migrate"')
  expect(text).not.toContain('stealth-relay-keys')
})

it('the example of a configuration starts from the secrets that every way of running it provides', async () => {
  const secrets = join(folder, 'secrets')
  await mkdir(secrets)
  for (const name of SECRETS)
    await writeFile(join(secrets, name), `${generatePrivateKey().slice(name === 'master-key' ? 2 : 0)}\n`)
  const unit = await read('stealth-relay.service')
  for (const name of SECRETS) expect(unit).toContain(`LoadCredential=${name}:`)
  const file = join(folder, 'config.json')
  await writeFile(file, (await read('config.example.json')).replaceAll('/run/secrets', secrets))
  const warnings: string[] = []
  const config = loadConfig({ CONFIG: file }, (message) => warnings.push(message))
  expect(config.chains.map(({ relayer }) => relayer?.signerKeys.length)).toEqual([2])
  expect(warnings).toEqual([])
})
