import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Where Debian puts it. */
const program = '/usr/sbin/nginx'
export const hasNginx = existsSync(program)

/** Debian's nginx with this site, as its own nginx.conf would include it. `folder` stands for every place outside. */
export async function startNginx(port: number, writeSite: (folder: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-nginx-'))
  mkdirSync(join(folder, 'temporary'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/temporary/${kind};`,
  )
  const main = [
    'daemon off; master_process off;',
    `pid ${folder}/pid; error_log ${folder}/main.log;`,
    'events { worker_connections 768; }',
    `http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')}\n${writeSite(folder)}\n}`,
  ]
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
  const nginx = spawn(program, ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'main.log')])
  const exited = once(nginx, 'exit')
  while (!(await answers(port))) {
    if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder, 'main.log'), 'utf8'))
    await delay(20)
  }
  return {
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1', () => answer(socket.destroy() !== undefined))
    socket.on('error', () => answer(false))
  })
}
