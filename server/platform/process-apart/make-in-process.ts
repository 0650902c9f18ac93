import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { ProcessMessage } from './child-work.ts'

/** Why no file was made, where people can do nothing about it. */
export const tooLargeForServer = 'Too large for this server. Ask its operator.'

const usualSeconds = 120
/** Of the whole process: what makes PDFs takes memory beside that of JavaScript. */
const mostBytes = 1.5 * 2 ** 30
const pageBytes = 4_096

/** What came of it. `refused`: why no file was made, for people. Without: it may be tried again. `waits`: once all is sealed. */
export type Outcome = { isDone: true } | { isDone: false; refused: string | null; waits?: true }

export interface Program {
  /** Its file. It calls `workApart`. */
  url: URL
  /** Why no file was made of what takes too long or too much memory, for people. */
  tooLarge: string
  /** How long it may take. Without: 120 s. */
  mostSeconds?: number
  /** Variables of the environment that it needs. It has no other one but PATH. */
  env?: NodeJS.ProcessEnv
}

/**
 * Makes a file in a process apart, which gives way to this one, and ends when its time is over, when its memory runs out, or on
 * abort. `onProgress`: in per cent.
 */
export async function makeInProcess<Task extends object>(
  { url, tooLarge, mostSeconds = usualSeconds, env = {} }: Program,
  task: Task,
  onProgress: (progress: number) => void,
  stopping: AbortSignal,
): Promise<Outcome> {
  if (stopping.aborted) return { isDone: false, refused: null }
  const child = fork(url, {
    execArgv: ['--max-old-space-size=768'],
    // the server's own secrets stay here
    env: { ...env, PATH: process.env.PATH, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  giveWay(child)
  let outcome: Outcome | undefined
  const end = (with_: Outcome) => {
    outcome ??= with_
    child.kill('SIGKILL')
  }
  const isTooLarge = () => end({ isDone: false, refused: tooLarge })
  const timer = setTimeout(isTooLarge, mostSeconds * 1000)
  const watch = setInterval(() => void memoryOf(child).then((bytes) => bytes > mostBytes && isTooLarge()), 500)
  const onAbort = () => end({ isDone: false, refused: null })
  stopping.addEventListener('abort', onAbort)
  child.on('message', (message: ProcessMessage) => {
    if ('progress' in message) onProgress(message.progress)
    else if ('done' in message) outcome ??= { isDone: true }
    else outcome ??= { isDone: false, refused: null, ...message }
  })
  child.send(task)
  const [code, signal] = (await once(child, 'exit').finally(() => {
    clearTimeout(timer)
    clearInterval(watch)
    stopping.removeEventListener('abort', onAbort)
  })) as [number | null, NodeJS.Signals | null]
  // out of memory: Node aborts (134), the system kills
  const isOut = signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134
  return outcome ?? { isDone: false, refused: isOut ? tooLarge : null }
}

/** A file can wait, phones cannot. */
function giveWay({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // it has ended already, or the system has no priorities
  }
}

/** 0 where the system does not tell. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const told = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(told.split(' ')[1] ?? 0) * pageBytes
}
