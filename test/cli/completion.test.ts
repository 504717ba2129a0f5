import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/folder.ts';
import { runCli, runProgram } from './run-cli.ts';

const has = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'exit']);
    return true;
  } catch {
    return false;
  }
};

async function scriptFor(shell: string) {
  const home = temporaryFolder();
  const { stdout, stderr, code } = await runCli(home, ['completion', shell]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const path = join(home, `pixdock.${shell}`);
  await writeFile(path, stdout);
  return { path, script: stdout };
}

describe('pixdock completion', () => {
  it.runIf(has('bash'))('completes commands, options and their values in bash', async () => {
    const { path } = await scriptFor('bash');
    const complete = async (...words: string[]) => {
      const call = `source '${path}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pixdock; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await runProgram('bash', ['-c', call, 'bash', ...words])).stdout.trim().split('\n').filter(Boolean);
    };
    expect(await complete('pixdock', 'up')).toEqual(['upload']);
    expect(await complete('pixdock', 'upload', '--form')).toEqual(['--format']);
    expect(await complete('pixdock', 'upload', '--format', 'm')).toEqual(['markdown']);
    expect(await complete('pixdock', 'import-dir', '--album')).toEqual(['--album', '--album-per-folder']);
    expect(await complete('pixdock', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    // File names are the shell's own business.
    expect(await complete('pixdock', 'upload', 'ca')).toEqual([]);
  });

  it.each([
    ['zsh', "'import-dir:upload a whole folder, and go on where the last run ended'"],
    ['fish', "complete -c pixdock -n '__fish_seen_subcommand_from upload' -l format -x -a 'url markdown html bbcode json'"],
  ])('prints a script for %s that this shell can read', async (shell, line) => {
    const { path, script } = await scriptFor(shell);
    expect(script).toContain(line);
    if (has(shell)) expect(await runProgram(shell, ['-n', path])).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  it('knows no other shells', async () => {
    const { stdout, stderr, code } = await runCli(temporaryFolder(), ['completion', 'tcsh']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain('Allowed choices are bash, zsh, fish');
  });
});
