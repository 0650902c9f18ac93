import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { step } from './lib/progress.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

const packages = 'ca-certificates,nodejs,npm,postgresql,nginx,curl,openssl,systemd'
const bringNode =
  'env -u npm_execpath node -e "import(\\"./scripts/lib/node-runtime.mjs\\").then((file) => file.bringNode())"'
/** Runs the command with its own mounts and processes, which end with it. */
const inside = (root, work) => [
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  'sh',
  '-ec',
  `mount -t proc proc ${root}/proc; mount --bind /dev ${root}/dev; mount -t tmpfs -o mode=1777 tmpfs ${root}/dev/shm; ${work}`,
]

/**
 * Tries the product from a bare Debian to a backup: the RUN lines of the Dockerfile one by one, then the steps of
 * docs/operations/debian.md and of the runbook in a separate network, then the contents of the image. Needs root,
 * mmdebstrap and the npm registry.
 */
await main(async () => {
  const start = Date.now()
  if (process.getuid() !== 0 || !existsSync('/usr/bin/mmdebstrap'))
    throw new Trouble('This needs root and the Debian package mmdebstrap.')
  const root = mkdtempSync(join(tmpdir(), 'evac-root-'))
  try {
    await step('Making a bare Debian', () =>
      must('mmdebstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', root]),
    )
    must('sh', ['-c', `mkdir ${root}/opt/evac && git ls-files -z | xargs -0 tar c | tar x -C ${root}/opt/evac`])
    must('sh', [
      '-c',
      `cp /etc/resolv.conf ${root}/etc/ && cp /etc/ssl/certs/ca-certificates.crt ${root}/etc/ssl/certs/`,
    ])
    const take = (line) =>
      must(
        'unshare',
        inside(root, `chroot ${root} sh -ec 'cd /opt/evac; PATH=/opt/evac/.runtime/node_modules/.bin:$PATH; ${line}'`),
      )
    await step("Downloading the image's Node", () => take(bringNode))
    for (const line of stepsOfDockerfile()) await step(line, () => take(line))
    must('cp', [at('scripts/lib/package-trial.sh'), join(root, 'tmp')])
    const trial = `ip link set lo up; chroot ${root} bash /tmp/package-trial.sh`
    const { code } = await run('unshare', ['--net', ...inside(root, trial)])
    const minutes = ((Date.now() - start) / 60_000).toFixed(1)
    console.log(
      code === 0 ? `Everything works: ${minutes} minutes from a bare Debian to the end.` : 'Not everything works.',
    )
    return code
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

/** The commands of the first stage. The trial does what the second stage copies. */
function stepsOfDockerfile() {
  const lines = readFileSync(at('Dockerfile'), 'utf8').match(/^RUN npm .*/gm) ?? []
  return lines.map((line) => line.slice('RUN '.length))
}

function must(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: at(), encoding: 'utf8' })
  if (status !== 0) throw new Trouble(`${command} failed:\n${error?.message ?? ''}${stdout}${stderr}`.slice(-4000))
}
