/** The product's logo: a warden's helmet. Same drawing as public/favicon.svg. */
export function Logo({ size = 36 }: { size?: number }) {
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <rect width="64" height="64" rx="15" fill="#0f2a3d" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round" strokeWidth="6">
        <path d="M15 40v-3a17 17 0 0 1 34 0v3M32 15v13" stroke="#f7f9fc" />
        <path d="M10 46h44" stroke="#3ddc84" />
      </g>
    </svg>
  )
}
