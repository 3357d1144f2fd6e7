/** A property file from disk. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import type { PropertyFile } from './ast.ts'
import { fileNotFound, fileTooLarge, fileUnreadable } from './errors.ts'
import { MOST_BYTES, parseProperties } from './parse.ts'

export function openProperties(path: string): PropertyFile {
  return parseProperties(readPropertyText(path), path)
}

export function readPropertyText(path: string): string {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' ? fileNotFound(path) : fileUnreadable(path, message)
  }
  try {
    // What is no regular file may have no end.
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw fileUnreadable(path, stat.isDirectory() ? 'it is a directory' : 'it is not a regular file')
    if (stat.size > MOST_BYTES) throw fileTooLarge(path, MOST_BYTES)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
