// The part of fontkit that the server uses.
declare module 'fontkit' {
  interface Font {
    familyName: string
    characterSet: number[]
  }
  export function create(bytes: Buffer): Font | { fonts: Font[] }
}
