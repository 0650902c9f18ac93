import { type ScreenTable, screen } from './screen-table.tsx'

export const screens: ScreenTable = {
  '/login': screen(() => import('../features/sign-in/login-screen.tsx').then((file) => file.LoginScreen)),
  '/forgot-password': screen(() =>
    import('../features/password-reset/forgot-password-screen.tsx').then((file) => file.ForgotPasswordScreen),
  ),
  '/reset-password': screen(() =>
    import('../features/password-reset/reset-password-screen.tsx').then((file) => file.ResetPasswordScreen),
  ),
  '/reportinlist': screen(() =>
    import('../features/report-in/report-in-list-screen.tsx').then((file) => file.ReportInListScreen),
  ),
  '/reportin': screen(() => import('../features/report-in/report-in-screen.tsx').then((file) => file.ReportInScreen)),
  '/warden-assignment/{wardenAssignmentUID}': screen(() =>
    import('../features/assignments/warden-assignment-screen.tsx').then((file) => file.WardenAssignmentScreen),
  ),
  '/withdraw/{wardenAssignmentUID}': screen(() =>
    import('../features/assignments/withdraw-screen.tsx').then((file) => file.WithdrawScreen),
  ),
  '/documents/{wardenAssignmentUID}': screen(() =>
    import('../features/assignments/documents-screen.tsx').then((file) => file.DocumentsScreen),
  ),
  '/me/role': screen(() => import('../features/assignments/my-role-screen.tsx').then((file) => file.MyRoleScreen)),
  '/event/management': screen(() => import('./event-page.tsx').then((file) => file.EventPage)),
  '/floor/warden/status': screen(() =>
    import('../features/attendance/floor-warden-status-screen.tsx').then((file) => file.FloorWardenStatusScreen),
  ),
  '/warden/onduty': screen(() =>
    import('../features/attendance/wardens-on-duty-screen.tsx').then((file) => file.WardensOnDutyScreen),
  ),
  '/floor/evacuation': screen(() =>
    import('../features/evacuation/floor-evacuation-screen.tsx').then((file) => file.FloorEvacuationScreen),
  ),
  '/building/status': screen(() =>
    import('../features/building-safety/building-safety-screen.tsx').then((file) => file.BuildingSafetyScreen),
  ),
  '/message/evacuee/{evacueeId}': screen(() =>
    import('../features/messaging/evacuee-thread-screen.tsx').then((file) => file.EvacueeThreadScreen),
  ),
  '/message/warden/{wardenId}': screen(() =>
    import('../features/messaging/warden-thread-screen.tsx').then((file) => file.WardenThreadScreen),
  ),
  '/message/evacueegroup': screen(() =>
    import('../features/messaging/evacuee-group-screen.tsx').then((file) => file.EvacueeGroupScreen),
  ),
  '/message/group': screen(() =>
    import('../features/messaging/warden-group-screen.tsx').then((file) => file.WardenGroupScreen),
  ),
  '/message/all': screen(() =>
    import('../features/messaging/all-messages-screen.tsx').then((file) => file.AllMessagesScreen),
  ),
  '/evacuee/safety': screen(() => import('../features/safety/safety-screen.tsx').then((file) => file.SafetyScreen)),
  '/floor/evacstatus': screen(() =>
    import('../features/evacuation/overview-screen.tsx').then((file) => file.OverviewScreen),
  ),
}
