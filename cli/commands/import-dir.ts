import { type Command, Option } from 'commander';
import { helpBelow } from '../help.ts';
import type { ImportOptions } from '../import/job.ts';
import { addConvertOption, addFormatOptions, addImageOptions, addServerOptions, collect, wholeNumber } from '../options.ts';
import { type Invocation, interruptible } from '../run.ts';

const HELP = helpBelow(
  [
    ['pixdock import-dir ~/Pictures --dry-run', 'list what would be uploaded'],
    ['pixdock import-dir ~/Pictures --album-per-folder', 'one album per folder'],
    ['pixdock import-dir ~/Takeout --takeout --dry-run', 'list what an export of Google Photos contains'],
    ["pixdock import-dir ~/Pictures --exclude 'Private/**' --exclude '*.gif'"],
    ['pixdock import-dir ~/Pictures --report report.json --format json > links.jsonl'],
  ],
  [
    'To resume an interrupted import, even after a power cut, run the same command again. Later runs upload only new and changed files. Nothing in the folder is ever changed or deleted. Symbolic links aren’t followed, and hidden files are skipped. Patterns match paths relative to the folder. A pattern without a slash matches names at any depth, and ** matches any number of folders.',
    'Links are printed as uploads finish if --format or --template is given or standard output is not a terminal. Everything else goes to standard error.',
    'Exit codes: 0 all uploaded, 1 something failed, 2 invalid usage, 130 interrupted.',
  ],
);

export function importDirCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('import-dir')
    .summary('upload a whole folder, resuming where the last run stopped')
    .description('Uploads all pictures in a folder, except those that an earlier run uploaded.')
    .argument('<dir>', 'folder to import')
    .addOption(new Option('--recursive', 'include subfolders').default(true, 'yes'))
    .option('--no-recursive', 'skip subfolders')
    .option('--include <pattern>', 'upload only files that match; repeatable (default: common picture extensions)', collect)
    .option('--exclude <pattern>', 'skip files and folders that match; repeatable', collect)
    .option('--hidden', 'include files and folders whose names start with a dot')
    .option(
      '--album <name>',
      'add the pictures to this album, created if missing; repeatable; another user’s by ID or owner/name; a name needs a token with full access',
      collect,
    )
    .option('--album-per-folder', 'add the pictures to one album per folder, named after it; needs a token with full access')
    .option(
      '--takeout',
      'the folder is an unpacked Google Takeout: take dates, names, descriptions, favourites and albums from its JSON files',
    )
    .option('--concurrency <number>', 'number of simultaneous uploads', wholeNumber(1, 32), 16)
    .option('--dry-run', 'list what would be uploaded, without uploading')
    .option('--again', 'include files that an earlier run uploaded')
    .option('--report <file>', 'write the result for each file to a JSON file');
  addConvertOption(addImageOptions(addFormatOptions(command)));
  addServerOptions(command, 10)
    .addHelpText('after', HELP)
    .action(async (dir: string, options: ImportOptions) => {
      // Only this command needs SQLite; the others start faster without it.
      const { importFolder } = await import('../import/import-folder.ts');
      invocation.finish(await interruptible(invocation.io, 2, (stop, abort) => importFolder(invocation, dir, options, { stop, abort })));
    });
}
