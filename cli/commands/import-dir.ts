import type { Command } from 'commander';
import { helpBelow } from '../help.ts';
import type { ImportOptions } from '../import/job.ts';
import { addImageOptions, addServerOptions, formatOption, wholeNumber } from '../options.ts';
import { interruptible } from '../run.ts';

type Finish = (exitCode: number) => void;

const HELP = helpBelow(
  [
    ['pixdock import-dir ~/Pictures --dry-run', 'says what would be uploaded'],
    ['pixdock import-dir ~/Pictures --album-per-folder', 'albums named like the folders'],
    ["pixdock import-dir ~/Pictures --exclude 'Private/**' --exclude '*.gif'"],
    ['pixdock import-dir ~/Pictures --report report.json --format json > links.jsonl'],
  ],
  [
    'What was uploaded is remembered: after an interruption, even a power cut, the same command goes on with the rest, and a later run takes only new and changed files. Nothing in the folder is ever changed or deleted. Symbolic links are not followed; hidden files are left out. Patterns are about paths below the folder; one without a slash is about names anywhere, ** crosses folders.',
    'Links are printed as the uploads finish: with --format, or when standard output is not a terminal. All else goes to standard error.',
    'Exit codes: 0 all uploaded, 1 something failed, 2 wrong use, 130 interrupted.',
  ],
);

export function importDirCommand(program: Command, finish: Finish) {
  const command = program
    .command('import-dir')
    .summary('upload a whole folder, and go on where the last run ended')
    .description('Uploads all pictures of a folder that were not uploaded from it before.')
    .argument('<dir>', 'the folder')
    .option('--no-recursive', 'leave folders in it out')
    .option('--include <pattern>', 'only such files; may be repeated (default: the usual endings of pictures)', collect)
    .option('--exclude <pattern>', 'no such files or folders; may be repeated', collect)
    .option('--hidden', 'also files and folders whose names begin with a dot')
    .option('--album <name>', 'put the pictures into this album, made when missing; needs a token of scope «full»')
    .option('--album-per-folder', 'an album for each folder, named after it; needs a token of scope «full»')
    .option('--concurrency <number>', 'uploads at the same time', wholeNumber(1, 32), 4)
    .option('--dry-run', 'upload nothing; print what would be uploaded')
    .option('--again', 'also what an earlier run has uploaded')
    .option('--report <file>', 'write what happened to each file as a JSON document')
    .addOption(formatOption('what to print for each picture (default: "url")'));
  addImageOptions(command);
  addServerOptions(command, 10)
    .addHelpText('after', HELP)
    .action(async (dir: string, options: ImportOptions) => {
      // Only this command needs a database; the others start faster without one.
      const { importDir } = await import('../import/import-dir.ts');
      finish(await interruptible(2, (stop, abort) => importDir(dir, options, stop, abort)));
    });
}

function collect(value: string, before: string[] = []) {
  return [...before, value];
}
