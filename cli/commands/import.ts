import { Argument, type Command } from 'commander';
import { SOURCES } from '#transfer/sources/sources.ts';
import { helpBelow } from '../help.ts';
import type { SourceOptions } from '../import/import-source.ts';
import { addConvertOption, addFormatOptions, addImageOptions, addServerOptions, wholeNumber } from '../options.ts';
import { type Invocation, interruptible } from '../run.ts';

const HELP = helpBelow(
  [
    ['pixdock import zipline https://old.example.org --dry-run', 'list what would come along'],
    ['pixdock import zipline https://old.example.org --map old-and-new.csv'],
    ['pass show immich | pixdock import immich https://photos.example.org'],
  ],
  [
    'The token of the other product is asked for, read from a pipe, or taken from PIXDOCK_SOURCE_TOKEN. It is sent to that address only. Nothing is changed there.',
    'To resume an interrupted import, run the same command again. Later runs bring what is new. Options such as --visibility apply to all pictures, instead of what the source says.',
    'What each product gives, and where to find its token: docs/guides/switching.md.',
    'Exit codes: 0 all brought along, 1 something failed or differs, 2 invalid usage, 130 interrupted.',
  ],
);

export function importCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('import')
    .summary('bring everything along from another product')
    .description(
      'Uploads all pictures that you have at another product, with their names, dates, descriptions, tags, albums and visibility.',
    )
    .addArgument(new Argument('<product>', 'where the pictures are').choices(Object.keys(SOURCES)))
    .argument('<url>', 'its address, such as https://old.example.org')
    .option('--source-token <token>', 'token of the other product; other users of this computer may briefly see it')
    .option('--concurrency <number>', 'number of pictures that are brought along at the same time', wholeNumber(1, 32), 4)
    .option('--dry-run', 'list what would come along, without downloading or uploading')
    .option('--again', 'include pictures that an earlier run brought along')
    .option('--verify', 'compare the result with the source at the end')
    .option('--report <file>', 'write the result for each picture to a JSON file')
    .option('--map <file>', 'write old and new addresses to a CSV file, which Pixdock itself can use')
    .option('--nginx-map <file>', 'write them for a map of nginx')
    .option('--caddy-map <file>', 'write them for a map of Caddy');
  addConvertOption(addImageOptions(addFormatOptions(command)));
  addServerOptions(command, 10)
    .addHelpText('after', HELP)
    .action(async (product: string, url: string, options: SourceOptions) => {
      const kind = SOURCES[product as keyof typeof SOURCES];
      // SQLite, as for `import-dir`.
      const { importSource } = await import('../import/import-source.ts');
      invocation.finish(
        await interruptible(invocation.io, 2, (stop, abort) => importSource(invocation, kind, url, options, { stop, abort })),
      );
    });
}
