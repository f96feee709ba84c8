// German texts of the interface, by the English ones.

export const german: Readonly<Record<string, string>> = {
  // Media
  Name: 'Name',
  'Alternative text': 'Alternativtext',
  Caption: 'Bildunterschrift',
  'The file {name}': 'Die Datei {name}',
  'Saved.': 'Gespeichert.',
  Save: 'Speichern',
  Open: 'Öffnen',
  Replace: 'Ersetzen',
  Delete: 'Löschen',
  Cancel: 'Abbrechen',
  'The file that takes its place': 'Die Datei, die an ihre Stelle tritt',
  'Replaced.': 'Ersetzt.',
  'Delete {name}?': '{name} löschen?',
  'Entries that show it lose it. This cannot be undone.':
    'Einträge, die sie zeigen, verlieren sie. Das lässt sich nicht rückgängig machen.',
  'Used by': 'Verwendet von',
  'No entry that you may see uses it.': 'Kein sichtbarer Eintrag verwendet sie.',
  'Loading …': 'Lädt …',
  'Your role may not see files.': 'Diese Rolle darf keine Dateien sehen.',
  Media: 'Medien',
  // Login
  'Log in': 'Anmelden',
}
