import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Browser, Page } from '@playwright/test'
import { HtmlValidate } from 'html-validate'

const { resolve } = createRequire(import.meta.url)

/** The first of these programs that is not installed. */
export const lacks = (...programs: string[]) =>
  programs.find((program) => spawnSync(program, ['-version'], { stdio: 'ignore' }).error !== undefined)

/** What a program writes about `input`. */
export function outputOf(program: string, args: readonly string[], input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...(input && { input }), maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? stderr}`)
  return stdout
}

/** What html-validate finds wrong in a page, one line each. */
export async function complaintsOf(page: string): Promise<string[]> {
  const checker = new HtmlValidate({ root: true, extends: ['html-validate:recommended'] })
  const { results } = await checker.validateString(page)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  )
}

/** What the checker of the W3C finds wrong in files. It needs Java. */
export function w3cComplaintsOf(files: readonly string[]): unknown[] {
  const jar = resolve('vnu-jar/build/dist/vnu.jar')
  const { stderr } = spawnSync('java', ['-Xss2m', '-jar', jar, '--format', 'json', ...files], { encoding: 'utf8' })
  return JSON.parse(stderr).messages
}

/** What jsQR reads in a picture. Undefined: it finds no code. */
export async function readQrCode(browser: Browser, picture: Buffer): Promise<string | undefined> {
  const reader = await browser.newPage()
  try {
    await reader.addScriptTag({ path: resolve('jsqr') })
    return await reader.evaluate(decode, picture.toString('base64'))
  } finally {
    await reader.close()
  }
}

/** Runs in a page with jsQR. */
async function decode(picture: string): Promise<string | undefined> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())
  const { width, height } = image
  const canvas = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
  canvas.drawImage(image, 0, 0)
  const { jsQR } = globalThis as unknown as { jsQR: typeof import('jsqr').default }
  return jsQR(canvas.getImageData(0, 0, width, height).data, width, height)?.data
}

/** The page on paper. */
export const printOf = (page: Page) => page.pdf({ preferCSSPageSize: true })
