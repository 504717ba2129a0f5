import { parentPort } from 'node:worker_threads';
import { documentPictures } from './html-pictures.ts';
import { markdownPictures } from './markdown-pictures.ts';
import type { ParseJob, ParseResult } from './parser.ts';

parentPort?.on('message', ({ text, isHtml }: ParseJob) => parentPort?.postMessage(resultOf(text, isHtml)));
// What the parsers need has been loaded.
parentPort?.postMessage('ready');

function resultOf(text: string, isHtml: boolean): ParseResult {
  try {
    return { links: isHtml ? documentPictures(text) : markdownPictures(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
