import { type ComponentType, createContext } from 'react'
import { type PagePath, type PageRow, pages } from '../pages/pages.ts'
import { type ScreenEntry, screen } from './screen.tsx'

export type ScreenTable = Partial<Record<PagePath, ScreenEntry>>

type ScreenFile = Record<string, ComponentType>
const files = import.meta.glob<ScreenFile>(['/src/app/*-screen.tsx', '/src/features/*/*-screen.tsx'])

/** 'features/safety/safety-screen' exports `SafetyScreen`. */
const componentOf = (name: string) =>
  name.replace(/^.*\/(.)|-(.)/g, (_, first: string, next: string = first) => next.toUpperCase())

/** Throws the name of a file that exports another component. */
async function loadScreen(name: string): Promise<ComponentType> {
  const file = await files[`/src/${name}.tsx`]?.()
  const component = file?.[componentOf(name)]
  if (!component) throw new Error(name)
  return component
}

const entryOf = ({ path, screen: name }: PageRow) => (name ? [[path, screen(() => loadScreen(name))]] : [])

/** The screen of each page, in a chunk of its own. */
export const screens: ScreenTable = Object.fromEntries(pages.flatMap(entryOf))

/** Tests draw plain pages in their place. */
export const Screens = createContext(screens)
