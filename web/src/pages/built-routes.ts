import { createContext, use } from 'react'
import type { RoutePath } from './routes.ts'

/** Which routes have a screen, as the program's table says: a link to any other would end at '404 Not Found!'. */
export const BuiltRoutes = createContext<(path: RoutePath) => boolean>(() => false)

/** True once the screen of this route is registered. */
export const useIsBuilt = (path: RoutePath): boolean => use(BuiltRoutes)(path)
