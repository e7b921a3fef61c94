const PATIENCE_MS = 1000

/**
 * Runs work that reports the share it has done, and says so on stderr once it has taken more than a second:
 * again and again on a terminal, once elsewhere.
 */
export async function withProgress<T>(
  label: string,
  work: (report: (share: number) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = process
  const started = performance.now()
  let shown = false
  const report = (share: number) => {
    if (performance.now() - started < PATIENCE_MS || (shown && !stderr.isTTY)) return
    shown = true
    const line = `${label} … ${Math.floor(share * 100)} %`
    stderr.write(stderr.isTTY ? `\r${line}` : `${line}\n`)
  }
  try {
    return await work(report)
  } finally {
    if (shown && stderr.isTTY) stderr.write('\r\u001B[K')
  }
}
