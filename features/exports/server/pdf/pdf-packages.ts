import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The optional packages that make PDFs. */
export const pdfPackages = {
  typst: '@myriaddreamin/typst-ts-node-compiler',
  fonts: ['@expo-google-fonts/noto-sans', '@expo-google-fonts/noto-sans-arabic'],
}

/** Typst is a library for this system, in a package of its own. */
const systems = ['', '-gnu', '-musl', '-msvc', '-gnueabihf', '-eabi']

/** False where npm has left out the optional packages, or has none for this system. */
export function isPdfInstalled(): boolean {
  const { typst, fonts } = pdfPackages
  const library = systems.map((system) => `${typst}-${process.platform}-${process.arch}${system}`)
  return fonts.every(isThere) && isThere(typst) && library.some(isThere)
}

const isThere = (name: string) => folderOf(name) !== undefined

/** Weights that the PDF has. */
const weights = ['400Regular', '700Bold']

export const fontFolders = () =>
  pdfPackages.fonts.flatMap((name) => weights.map((weight) => join(folderOf(name) ?? '', weight)))

/** Without loading it. */
function folderOf(name: string): string | undefined {
  try {
    return dirname(require.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}
