// German texts of the interface, by the English ones.

export const german: Readonly<Record<string, string>> = {
  // Login
  'Log in': 'Anmelden',
}
