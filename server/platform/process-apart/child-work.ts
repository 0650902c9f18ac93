/** What a process apart tells. `refused`: why it made no file, for people. `waits`: it can be made when all is sealed. */
export type ProcessMessage = { progress: number } | { refused: string } | { waits: true } | { done: true }

/** The last one reaches the parent before the process ends. */
const tell = (message: ProcessMessage) =>
  new Promise<void>((resolve) => void process.send?.(message, undefined, undefined, () => resolve()))

/**
 * Does the task of `makeInProcess` in this process, which ends with it or with its parent. The work returns what is to be
 * told at its end, and throws where it may be tried again.
 */
export function workApart<Task>(work: (task: Task, onProgress: (progress: number) => void) => Promise<ProcessMessage>) {
  process.once('message', (task: Task) => {
    void work(task, (progress) => void tell({ progress }))
      .then(tell)
      .finally(() => process.disconnect())
  })
  // the parent is gone
  process.once('disconnect', () => process.exit())
}
