import type { Command } from 'commander';
import { albumFields } from '#api/images/album-fields.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import type { MarkdownOptions } from '../markdown/rewrite.ts';
import { addAlbumOption, addConvertOption, addJsonOption, addServerOptions, addSharingOptions, imageFields } from '../options.ts';
import { type Invocation, interruptible, LONG_MAX_WAIT, prepare } from '../run.ts';
import { findAlbums } from './upload.ts';

const HELP = helpBelow(
  [
    ['pixdock markdown notes --dry-run', 'list the pictures'],
    ['pixdock markdown notes --in-place', 'change the files'],
    ['pixdock markdown notes --out published', 'write copies to another folder'],
    ['pixdock markdown post.md > published.md', 'one file, to standard output'],
  ],
  [
    'Finds pictures in Markdown links, HTML, reference definitions and Obsidian’s ![[embeds]], relative to the file, the vault or the site. Only the links change; code, comments and front matter stay as they are. Each picture is uploaded once, and a repeated run uploads none again for 30 days. To resume an interrupted run, run the same command again.',
    'Pictures that aren’t found, or that are outside of the folder without --outside, are reported, and their links stay as they are.',
    'Exit codes: 0 all replaced, 1 something failed, 2 invalid usage, 130 interrupted.',
  ],
);

export function markdownCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('markdown')
    .summary('upload the pictures of Markdown and HTML files and replace their links')
    .description('Uploads the pictures that Markdown and HTML files show, and replaces the links to them.')
    .argument('<file...>', 'files, or folders with such files')
    .option('--in-place', 'change the files')
    .option('--out <dir>', 'write changed copies to this folder')
    .option('--dry-run', 'list the pictures, without uploading')
    .option('--remote', 'also upload pictures that are on other servers')
    .option('--outside', 'also upload pictures outside of the folder, vault or site that contains the file');
  addJsonOption(command);
  addServerOptions(addConvertOption(addAlbumOption(addSharingOptions(command))), DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (files: string[], options: MarkdownOptions) => {
      if (options.inPlace && options.out !== undefined) throw new UsageError('Use either --in-place or --out, not both.');
      // Only this command needs the parsers; the others start faster without them.
      const { rewriteDocuments } = await import('../markdown/rewrite.ts');
      invocation.finish(
        await interruptible(invocation.io, 1, async (signal) => {
          const run = await prepare(invocation, options, LONG_MAX_WAIT);
          const fields = async () => ({ ...(await imageFields(options)), ...albumFields(await findAlbums(run, options.album, signal)) });
          return rewriteDocuments(files, options, run, fields, signal);
        }),
      );
    });
}
