// Diagnostics as the terminal shows them, with the frame of the file.

export function Report({ text }: { readonly text: string }) {
  return (
    <pre class="report" tabIndex={0}>
      {text.split('\n').map((line) => (
        <span class={getClass(line)}>{`${line}\n`}</span>
      ))}
    </pre>
  )
}

function getClass(line: string): string {
  if (/^error/.test(line)) return 'error'
  if (/^warning/.test(line)) return 'warning'
  if (/^\s*\|\s*\^/.test(line)) return 'marks'
  return ''
}
