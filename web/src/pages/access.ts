import type { ModuleFlag } from '@evac/contract/vocabulary.ts'
import type { Access } from './pages.ts'

const isFlag = (access: Access): access is ModuleFlag => access.startsWith('Module_')

/** True if somebody signed in with these modules may open a page of this access. */
export const isAllowed = ({ module_access }: { module_access: Record<ModuleFlag, boolean> }, access: Access) =>
  !isFlag(access) || module_access[access]
