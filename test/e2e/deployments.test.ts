/**
 * Deployment files: images, services, manifests, proxies. They are valid, agree with each other and with the program,
 * and pass the checks of their own tools where those are installed.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { FILE_SETTING_NAMES, readConfig, SETTING_NAMES } from '../../src/app/config.ts';
import { PROVIDERS } from '../../src/geocoding/providers/providers.ts';
import { directivesOf, readNginx } from '../support/proxy-conf.ts';
import { createFolder, killPrograms, ROOT, startPlainServer } from '../support/program.ts';
import { itUnless } from '../support/skip.ts';

afterAll(killPrograms);

/** The longest shutdown of a server in seconds: the limit of SHUTDOWN_TIMEOUT_MS. */
const LONGEST_STOP = 14;
/** Seconds within which /readyz responds. */
const READY_WITHIN = readConfig({}).databaseTimeoutMs / 1000;
const NAMES: readonly string[] = [...SETTING_NAMES, ...FILE_SETTING_NAMES, 'NODE_ENV'];

const file = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const manifest = (name: string) => parse(file(`deploy/kubernetes/${name}.yaml`)) as unknown;

function unknownSettings(names: readonly string[]): readonly string[] {
  return names.filter((name) => !NAMES.includes(name));
}

/** A skip reason when the program cannot run here. */
function reasonWithout(program: string, ...args: string[]): string | undefined {
  return spawnSync(program, args).error === undefined ? undefined : `needs ${program}`;
}

it('the longest shutdown is the one that the settings allow', () => {
  expect(() => readConfig({ SHUTDOWN_TIMEOUT_MS: String(LONGEST_STOP * 1000) })).not.toThrow();
  expect(() => readConfig({ SHUTDOWN_TIMEOUT_MS: String(LONGEST_STOP * 1000 + 1) })).toThrow();
});

describe('the probed paths', () => {
  it('return 200', async () => {
    const probed = new Set([
      ...[...file('Dockerfile').matchAll(/\$\{process\.env\.PORT\}(\/\w+)/g)].map(([, path]) => path),
      ...[...file('deploy/Caddyfile.gateways').matchAll(/health_uri (\S+)/g)].map(([, path]) => path),
      ...Object.values(probesOf(container())).map(({ httpGet }) => httpGet.path),
    ]);
    expect([...probed].sort()).toEqual(['/healthz', '/readyz']);
    const server = await startPlainServer(createFolder());
    for (const path of probed)
      expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
    await server.stop();
  });
});

describe('the image', () => {
  const stages = file('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1)!;

  it('holds only the build, and runs it as an unprivileged user without a shell', () => {
    expect(stages.length).toBe(2);
    const copied = [...last.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    const names = copied.map((path) => path.replace('/app/', ''));
    expect(names).toEqual(expect.arrayContaining(['package.json', 'dist', 'node_modules', 'schema']));
    for (const name of names) expect([name, existsSync(join(ROOT, name))]).toEqual([name, true]);
    // No sources, tests or stray files.
    expect(names.filter((name) => ['', '.', 'src', 'test', 'data'].includes(name))).toEqual([]);
    expect(last).toMatch(/^USER node$/m);
    expect(last.indexOf('\nUSER node')).toBeLessThan(last.indexOf('\nCMD'));
    expect(JSON.parse(/^CMD (.+)$/m.exec(last)![1]!)).toEqual(['node', 'dist/cli/main.js', 'serve']);
  });

  it('sets only known settings and probes readiness', () => {
    const environment = /^ENV ((?:.*\\\n)*.*)$/m.exec(last)![1]!;
    const names = [...environment.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
    expect(names).toEqual(['NODE_ENV', 'HOST', 'PORT']);
    expect(unknownSettings(names)).toEqual([]);
    const health = /^HEALTHCHECK [^\n]*\\\n +CMD (.+)$/m.exec(last)![1]!;
    expect((JSON.parse(health) as string[]).join(' ')).toContain('/readyz');
    expect(Number(/--timeout=(\d+)s/.exec(last)![1])).toBeGreaterThan(READY_WITHIN);
  });

  it('has a health check that reports readiness', async () => {
    const health = JSON.parse(/^HEALTHCHECK [^\n]*\\\n +CMD (.+)$/m.exec(last)![1]!) as string[];
    const statusAt = (port: string) =>
      spawnSync(process.execPath, health.slice(1), { env: { ...process.env, PORT: port } }).status;
    const server = await startPlainServer(createFolder());
    const { port } = new URL(server.url);
    // spawnSync blocks this process; the server runs in another.
    expect(statusAt(port)).toBe(0);
    await server.stop();
    expect(statusAt(port)).toBe(1);
  });

  it('leaves out secrets and stores that lie in the folder', () => {
    const ignored = file('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', 'data', '.git', 'node_modules', 'dist']));
  });
});

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
}

const composeFile = (name: string) => parse(file(name), { merge: true }) as ComposeFile;

function expectCompleteMounts({ services, volumes }: ComposeFile): void {
  const mounts = Object.values(services).flatMap(({ volumes: own = [] }) => own);
  const sources = mounts.map((mount) => mount.split(':')[0] ?? '');
  const named = sources.filter((source) => !source.startsWith('.'));
  expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort());
  for (const source of sources.filter((each) => each.startsWith('.')))
    expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
  for (const { depends_on: others = {} } of Object.values(services))
    expect(Object.keys(others).filter((other) => services[other] === undefined)).toEqual([]);
}

describe('Compose', () => {
  for (const [name, servers] of [
    ['compose.yaml', ['gateway-1', 'gateway-2']],
    ['compose.sqlite.yaml', ['server']],
  ] as const) {
    const { services, volumes } = composeFile(name);

    it(`${name} gives its servers a secret, time to stop, and only known settings`, () => {
      for (const server of servers) {
        const { stop_grace_period: grace = '', environment = {} } = services[server] ?? {};
        expect(grace).toMatch(/^\d+s$/);
        expect(Number.parseInt(grace, 10)).toBeGreaterThan(LONGEST_STOP);
        expect(environment).toHaveProperty('SECRET_KEY');
        expect(unknownSettings(Object.keys(environment))).toEqual([]);
      }
    });

    it(`${name} mounts existing volumes and files, and waits for existing services`, () => {
      expectCompleteMounts({ services, volumes });
    });
  }

  it('uses a proxy version that resolves its gateways again', () => {
    const { services } = composeFile('compose.yaml');
    const [, minor] = /^nginx:1\.(\d+)-/.exec(services.proxy!.image!)!;
    expect(Number(minor)).toBeGreaterThan(27);
  });
});

describe('the geocoders beside the server', () => {
  const names = readdirSync(join(ROOT, 'deploy/geocoders')).filter((name) => name.endsWith('.yaml'));

  it('are Addok, Nominatim and Photon, each for the server of compose.sqlite.yaml', () => {
    expect(names.sort()).toEqual(['addok.yaml', 'nominatim.yaml', 'photon.yaml']);
    expect(Object.keys(composeFile('compose.sqlite.yaml').services)).toEqual(['server']);
  });

  for (const name of names) {
    const path = `deploy/geocoders/${name}`;
    const { services, volumes } = composeFile(path);
    const { server, ...others } = services as { server: Service } & Record<string, Service>;

    it(`${name} points the server at its own service, with only known settings`, () => {
      expect(Object.keys(server)).toEqual(['environment']);
      const { environment = {} } = server;
      expect(unknownSettings(Object.keys(environment))).toEqual([]);
      const [provider, ...more] = readConfig(environment).geocoding.geocoder;
      expect(more).toEqual([]);
      const { urlSetting } = PROVIDERS.find((each) => each.name === provider)!;
      expect(Object.keys(environment)).toContain(urlSetting);
      const url = new URL(environment[urlSetting]!);
      expect(Object.keys(others)).toContain(url.hostname);
      // The health check asks at the same port.
      expect(others[url.hostname]!.healthcheck!.test.join(' ')).toContain(`http://127.0.0.1:${url.port}/`);
    });

    it(`${name} has complete services of fixed versions, within limits, which only the server reaches`, () => {
      expectCompleteMounts({ services, volumes });
      for (const [service, { image, build, ports, network_mode: network, ...own }] of Object.entries(
        others,
      )) {
        if (build === undefined)
          expect([service, image]).toEqual([service, expect.stringMatching(/:\d+\.\d+/)]);
        else expect([build, existsSync(join(ROOT, build, 'Dockerfile'))]).toEqual([build, true]);
        expect([service, ports, network]).toEqual([service, undefined, undefined]);
        expect([service, own.mem_limit]).toEqual([service, expect.stringMatching(/\b\d+g\b/)]);
        if (own.restart === 'no') continue;
        expect([service, own.restart, own.healthcheck]).toEqual([
          service,
          'unless-stopped',
          expect.anything(),
        ]);
      }
    });

    it(`${name} is in the documentation, with its command and its variables`, () => {
      const documentation = file('docs/geocoding.md');
      const command = `docker compose -f compose.sqlite.yaml -f ${path} up --build --detach`;
      expect([file(path).includes(command), documentation.includes(command)]).toEqual([true, true]);
      const variables = [...file(path).matchAll(/\$\{(\w+)/g)].map(([, variable]) => `\`${variable}\``);
      expect(variables.length).toBeGreaterThan(0);
      expect(variables.filter((variable) => !documentation.includes(variable))).toEqual([]);
    });
  }

  it('are built from packages of fixed versions', () => {
    const requirements = file('deploy/geocoders/addok/requirements.txt').trim().split('\n');
    expect(requirements).toContainEqual(expect.stringMatching(/^addok==/));
    for (const requirement of requirements) expect(requirement).toMatch(/^[\w-]+==\d+(\.\d+)+$/);
    const dockerfile = file('deploy/geocoders/addok/Dockerfile');
    expect(dockerfile.match(/^FROM python:[\d.]+/gm)).toHaveLength(2);
    for (const [, source = ''] of dockerfile.matchAll(/^COPY (?!--)(\S+) /gm))
      expect([source, existsSync(join(ROOT, 'deploy/geocoders/addok', source))]).toEqual([source, true]);
  });
});

describe('the systemd unit', () => {
  const unit = file('deploy/map-locations.service');

  it('serves from its own folder and has time to stop', () => {
    const keys = new Map(
      [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
    );
    expect([...unit.matchAll(/^\[(\w+)\]$/gm)].map(([, name]) => name)).toEqual([
      'Unit',
      'Service',
      'Install',
    ]);
    expect(keys.get('ExecStart')).toMatch(/^\/\S*map-locations serve$/);
    expect(keys.get('WorkingDirectory')).toBe(`/var/lib/${keys.get('StateDirectory')}`);
    expect(Number(keys.get('TimeoutStopSec'))).toBeGreaterThan(LONGEST_STOP);
    expect(keys.get('User')).toBe('map-locations');
    // V8's compiler needs memory that is writable and executable.
    expect(keys.has('MemoryDenyWriteExecute')).toBe(false);
  });

  itUnless(reasonWithout('systemd-analyze', '--version'), 'passes systemd-analyze', () => {
    const path = join(createFolder(), 'map-locations.service');
    writeFileSync(path, unit.replace('/usr/local/bin/map-locations', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    // Other units of the machine may have faults of their own.
    const own = stderr.split('\n').filter((line) => line.includes('map-locations'));
    expect([status, own]).toEqual([0, []]);
  });
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds: number;
}

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
}

interface Deployment {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: readonly [Container];
      };
    };
  };
}

function deployment(): Deployment['spec'] {
  return (manifest('deployment') as Deployment).spec;
}

function container(): Container {
  return deployment().template.spec.containers[0];
}

function probesOf({ livenessProbe, readinessProbe }: Container) {
  return { livenessProbe, readinessProbe };
}

describe('the Kubernetes manifests', () => {
  const { data: settings } = manifest('settings') as { data: Readonly<Record<string, string>> };

  it('are exactly the resources of kustomize', () => {
    const { resources } = manifest('kustomization') as { resources: string[] };
    const files = readdirSync(join(ROOT, 'deploy/kubernetes')).filter(
      (name) => name !== 'kustomization.yaml',
    );
    expect([...resources].sort()).toEqual(files.sort());
  });

  it('probe liveness without the store and readiness with it', () => {
    const { ports, livenessProbe, readinessProbe } = container();
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz']);
    expect(readinessProbe.timeoutSeconds).toBeGreaterThan(READY_WITHIN);
    for (const { httpGet } of [livenessProbe, readinessProbe])
      expect(ports.map(({ name }) => name)).toContain(httpGet.port);
  });

  it('give a pod time to leave the load balancers, then to finish its requests', () => {
    const { terminationGracePeriodSeconds: grace } = deployment().template.spec;
    const [program, pause] = container().lifecycle.preStop.exec.command;
    expect(program).toBe('sleep');
    expect(Number(pause)).toBeGreaterThan(0);
    expect(grace).toBeGreaterThan(Number(pause) + LONGEST_STOP);
  });

  it('run several gateways on MongoDB, with secrets from files and only known settings', () => {
    expect(deployment().replicas).toBeGreaterThan(1);
    expect(unknownSettings(Object.keys(settings))).toEqual([]);
    const [{ mountPath }] = container().volumeMounts as [{ mountPath: string }];
    for (const name of ['DATABASE_URL_FILE', 'SECRET_KEY_FILE'])
      expect(settings[name]).toContain(`${mountPath}/`);
    const values = Object.entries(settings).filter(([name]) => !name.endsWith('_FILE'));
    expect(() => readConfig(Object.fromEntries(values))).not.toThrow();
    const { ports } = container();
    const defaults = readConfig({});
    expect(ports).toEqual([
      { name: 'http', containerPort: defaults.port },
      { name: 'metrics', containerPort: Number(settings.METRICS_PORT) },
    ]);
    expect(deployment().template.metadata.annotations['prometheus.io/port']).toBe(settings.METRICS_PORT);
  });

  it('run as an unprivileged user on a read-only file system', () => {
    expect(deployment().template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container().securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('reference each other correctly', () => {
    const { labels } = deployment().template.metadata;
    expect(deployment().selector.matchLabels).toEqual(labels);
    const { spec: service } = manifest('service') as {
      spec: { selector: object; ports: { name: string; targetPort: string }[] };
    };
    expect(service.selector).toEqual(labels);
    expect(container().ports.map(({ name }) => name)).toContain(service.ports[0]!.targetPort);
    const { spec: budget } = manifest('pod-disruption-budget') as {
      spec: { maxUnavailable: number; selector: { matchLabels: object } };
    };
    expect(budget.selector.matchLabels).toEqual(labels);
    expect(budget.maxUnavailable).toBeLessThan(deployment().replicas);
    const { spec: ingress } = manifest('ingress') as {
      spec: { rules: { host: string; http: { paths: { backend: { service: object } }[] } }[] };
    };
    const [{ host, http }] = ingress.rules as [(typeof ingress.rules)[number]];
    expect(http.paths[0]!.backend.service).toEqual({
      name: 'map-locations',
      port: { name: service.ports[0]!.name },
    });
    expect(settings.PUBLIC_URL).toBe(`https://${host}`);
  });
});

const nginx = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
const nginxVersion = nginx.error === undefined ? /nginx\/(\d+)\.(\d+)\.(\d+)/.exec(nginx.stderr) : null;
const [major = 0, minor = 0, patch = 0] = nginxVersion?.slice(1).map(Number) ?? [];
/** Open-source nginx supports `resolve` since 1.27.3. */
const supportsResolve = major > 1 || (major === 1 && (minor > 27 || (minor === 27 && patch >= 3)));

describe('nginx', () => {
  for (const name of ['nginx.conf', 'nginx-tls.conf']) {
    it(`${name} forwards the client's address and the host`, () => {
      const [location] = directivesOf(readNginx(file(`deploy/${name}`)), 'location');
      const headers = directivesOf(location!.block!, 'proxy_set_header').map(({ args }) => args);
      expect(Object.fromEntries(headers)).toEqual({
        Upgrade: '$http_upgrade',
        Connection: '$connection_upgrade',
        Host: '$http_host',
        'X-Forwarded-For': '$proxy_add_x_forwarded_for',
        'X-Forwarded-Host': '$http_host',
        'X-Forwarded-Proto': '$scheme',
      });
    });

    const needsResolve = file(`deploy/${name}`).includes(' resolve ');
    const reason =
      nginxVersion === null
        ? 'needs nginx'
        : needsResolve && !supportsResolve && 'needs nginx 1.27.3 or later';
    itUnless(reason, `takes ${name}`, () => {
      const folder = createFolder();
      // The operator brings the certificates; the test opens no port.
      const own = file(`deploy/${name}`)
        .replaceAll(/^ *ssl_certificate.*\n/gm, '')
        .replace('443 ssl', '443');
      const path = join(folder, 'nginx.conf');
      writeFileSync(path, `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${own} }`);
      const { stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', path], { encoding: 'utf8' });
      expect(stderr).toMatch(/syntax is ok/);
    });
  }

  it('resolves the Compose gateways again, since their addresses change', () => {
    const conf = readNginx(file('deploy/nginx.conf'));
    const [upstream] = directivesOf(conf, 'upstream');
    const { services } = parse(file('compose.yaml'), { merge: true }) as { services: object };
    const servers = directivesOf(upstream!.block!, 'server').map(({ args }) => args);
    expect(servers.map(([address]) => address)).toEqual(['gateway-1:4000', 'gateway-2:4000']);
    for (const [address = '', ...options] of servers) {
      expect(Object.keys(services)).toContain(address.split(':')[0]);
      expect(options).toContain('resolve');
    }
    // `resolve` needs both.
    expect(directivesOf(upstream!.block!, 'zone')).toHaveLength(1);
    expect(directivesOf(conf, 'resolver').map(({ args }) => args)).toEqual([['127.0.0.11', 'valid=5s']]);
    expect(directivesOf(conf, 'proxy_pass').map(({ args }) => args)).toEqual([
      [`http://${upstream!.args[0]}`],
    ]);
  });

  it('with TLS forwards to the default port', () => {
    const conf = readNginx(file('deploy/nginx-tls.conf'));
    const { host, port } = readConfig({});
    expect(directivesOf(conf, 'proxy_pass').map(({ args }) => args)).toEqual([[`http://${host}:${port}`]]);
  });
});

describe('Caddy', () => {
  it('forwards to the default port or to ready gateways, and retries while none is ready', () => {
    const { host, port } = readConfig({});
    expect(file('deploy/Caddyfile')).toContain(`\n\treverse_proxy ${host}:${port} {\n`);
    const gateways = file('deploy/Caddyfile.gateways');
    expect(gateways).toMatch(/\n\treverse_proxy gateway-1:4000 gateway-2:4000 \{\n/);
    expect(gateways).toContain('\t\thealth_uri /readyz\n');
    expect(Number(/health_timeout (\d+)s/.exec(gateways)![1])).toBeGreaterThan(READY_WITHIN);
    for (const name of ['Caddyfile', 'Caddyfile.gateways'])
      expect(file(`deploy/${name}`)).toMatch(/lb_try_duration \ds/);
  });

  for (const name of ['Caddyfile', 'Caddyfile.gateways']) {
    itUnless(reasonWithout('caddy', 'version'), `takes ${name}`, () => {
      const { PATH } = process.env;
      const { status, stderr } = spawnSync(
        'caddy',
        ['validate', '--adapter', 'caddyfile', '--config', join(ROOT, 'deploy', name)],
        { encoding: 'utf8', env: { PATH, HOME: createFolder() } },
      );
      expect([status, stderr]).toEqual([0, stderr]);
    });
  }
});
