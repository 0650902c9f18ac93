import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { LoginScreen } from '#features/sign-in/web/login-screen.tsx'
import { Screens } from './screens.ts'
import { Shell } from './shell.tsx'

const entry = { load: async () => LoginScreen, loaded: () => LoginScreen }

/** The login page as the build draws it into the page (web/draw-login.ts). */
export const LoginPicture = () => (
  <QueryClientProvider client={new QueryClient()}>
    <Screens value={{ '/login': entry }}>
      <Shell />
    </Screens>
  </QueryClientProvider>
)
