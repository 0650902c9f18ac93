import { useEffect, useState } from 'react'

/**
 * What a file exports, once it is wanted and has come. Not part of the first load: `load` names a file that the parts for every
 * page of a signed-in warden have, so it is there without signal.
 */
export function useLateFile<T>(load: () => Promise<T>, isWanted: boolean): T | undefined {
  const [file, setFile] = useState<T>()
  useEffect(() => {
    if (isWanted && !file) load().then(setFile, () => undefined)
  }, [isWanted, file, load])
  return file
}
