import type { ModuleFlag } from '#kernel/vocabulary.ts'
import type { Access } from './pages.ts'

const isFlag = (access: Access): access is ModuleFlag => access.startsWith('Module_')

interface Opener {
  module_access: Record<ModuleFlag, boolean>
  on_duty?: boolean
}

/** True if someone signed in with these modules may open a page of this access. */
export function isAllowed({ module_access, on_duty = false }: Opener, access: Access): boolean {
  if (access === 'observer') return on_duty || module_access.Module_Event_Records
  return !isFlag(access) || module_access[access]
}
