import { type ComponentType, createContext } from 'react'
import { filesOfPage } from '../pages/built-files.ts'
import { type PagePath, type PageRow, pages } from '../pages/pages.ts'
import { type ScreenEntry, screen } from './screen.tsx'

export type ScreenTable = Partial<Record<PagePath, ScreenEntry>>

type ScreenFile = Record<string, ComponentType>
const sources = () => import.meta.glob<ScreenFile>(['./*-screen.tsx', '../../features/*/web/**/*-screen.tsx'])

/** The built page names the files, its own one first. A list of them in the program would be 1 kB gz of the first load. */
const openFile = import.meta.env.PROD
  ? ({ path }: PageRow): Promise<ScreenFile> => import(/* @vite-ignore */ `/${filesOfPage(path)[0]}`)
  : ({ screen }: PageRow) =>
      sources()[`${screen?.replace(/^features/, '../../features').replace(/^web\/app/, '.')}.tsx`]?.()

/** The file of a page exports its component alone: the build checks that. */
async function loadScreen(page: PageRow): Promise<ComponentType> {
  const [component] = Object.values((await openFile(page)) ?? {})
  if (!component) throw new Error(page.path)
  return component
}

const entryOf = (page: PageRow) => (page.screen ? [[page.path, screen(() => loadScreen(page))]] : [])

/** The screen of each page, in a chunk of its own. */
export const screens: ScreenTable = Object.fromEntries(pages.flatMap(entryOf))

/** Tests draw plain pages in their place. */
export const Screens = createContext(screens)
