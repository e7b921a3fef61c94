import { executionAsyncId } from 'node:async_hooks'

const resolved = Promise.resolve()

let isOpen = false
let count = 0

/**
 * Names the synchronous stretch of code that is running: calls made in it follow one another without anything
 * between. Newer Nodes give all microtasks one async id, so a count of microtasks stands beside it.
 */
export function stretch(): string {
  if (!isOpen) {
    isOpen = true
    count += 1
    void resolved.then(() => {
      isOpen = false
    })
  }
  return `${count}/${executionAsyncId()}`
}
