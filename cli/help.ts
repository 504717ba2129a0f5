import type { AddHelpTextContext } from 'commander';

/** A command line, and what it does where that is not plain. */
type Example = readonly [line: string, what?: string];

/** What stands below a command's options: examples and paragraphs, within the width of the screen. */
export function helpBelow(examples: readonly Example[], paragraphs: readonly string[] = []) {
  return ({ command, error }: AddHelpTextContext): string => {
    const width = (error ? process.stderr : process.stdout).columns || 80;
    const wrap = (text: string) => command.createHelp().boxWrap(text, width);
    return ['', 'Examples:', ...formatExamples(examples, width), ...paragraphs.flatMap((text) => ['', wrap(text)])].join('\n');
  };
}

/** Side by side where all fit, else one below the other. */
function formatExamples(examples: readonly Example[], width: number): string[] {
  const longest = Math.max(...examples.filter(([, what]) => what).map(([line]) => line.length), 0);
  const fits = examples.every(([, what]) => !what || longest + what.length + 5 <= width);
  return examples.flatMap(([line, what]) => {
    if (!what) return [`  ${line}`];
    return fits ? [`  ${line.padEnd(longest)}   ${what}`] : [`  ${line}`, `      ${what}`];
  });
}
