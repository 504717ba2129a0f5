export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface CompletedOption {
  /** With its two dashes. */
  name: string;
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

interface CompletedCommand {
  name: string;
  summary: string;
  /** The kind of its arguments; words are completed only if there are `choices`. */
  takes: 'file' | 'folder' | 'words';
  choices: readonly string[];
  options: CompletedOption[];
}

/** A shell script that completes these commands, their options and option values, and otherwise file names. */
export function completionScript(shell: Shell, commands: CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function bash(commands: CompletedCommand[]) {
  const names = commands.map(({ name }) => name).join(' ');
  const values = uniqueChoices(commands).map(
    ({ name, choices }) => `    ${name}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return ;;`,
  );
  const words = commands.map(({ name, options, choices, takes }) => {
    const flags = options.map((option) => option.name).join(' ');
    const valued = options.filter(({ takesValue }) => takesValue).map((option) => option.name);
    return `    ${name}) flags='${flags}' valued=' ${valued.join(' ')} ' words='${choices.join(' ')}' takes=${takes} ;;`;
  });
  return `# bash completion for pixdock
_pixdock() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} flags='--help --version' valued='' words='' takes=words
  # bash splits --option=value into three words
  [[ $current == '=' ]] && current=''
  [[ $previous == '=' ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  case $previous in
${values.join('\n')}
  esac
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${words.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ $valued == *" $previous "* ]]; then
    return # possibly a file name
  elif [[ $takes == folder ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$current"))
  elif [[ $takes == words ]]; then
    compopt +o default +o bashdefault 2>/dev/null
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o bashdefault -o default -F _pixdock pixdock
`;
}

function zsh(commands: CompletedCommand[]) {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, options, choices, takes }) => {
    const specs = options.map((option) => quote(zshOption(option)));
    const rest = takes === 'words' ? `1:value:(${choices.join(' ')})` : takes === 'folder' ? '1:folder:_files -/' : '*:file:_files';
    return `    ${name}) _arguments ${[...specs, quote(rest)].join(' \\\n      ')} ;;`;
  });
  return `#compdef pixdock
_pixdock() {
  local -a commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _pixdock ]; then _pixdock "$@"; else compdef _pixdock pixdock; fi
`;
}

function zshOption({ name, description, takesValue, choices }: CompletedOption) {
  const text = description.replace(/[[\]\\:]/g, '\\$&');
  const value = takesValue ? `:value:${choices.length ? `(${choices.join(' ')})` : '_files'}` : '';
  return `*${name}[${text}]${value}`;
}

function fish(commands: CompletedCommand[]) {
  const lines = commands.flatMap(({ name, summary, options, choices, takes }) => {
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c pixdock -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      ...(takes === 'words' ? [`complete -c pixdock ${seen} -f -a ${quote(choices.join(' '))}`] : []),
      ...(takes === 'folder' ? [`complete -c pixdock ${seen} -f -a '(__fish_complete_directories)'`] : []),
      ...options.map((option) => {
        const values = option.choices.length ? ` -x -a ${quote(option.choices.join(' '))}` : option.takesValue ? ' -r' : '';
        return `complete -c pixdock ${seen} -l ${option.name.slice(2)}${values} -d ${quote(option.description)}`;
      }),
    ];
  });
  const global = ['help', 'version'].map((name) => `complete -c pixdock -n __fish_use_subcommand -f -l ${name}`);
  return `# fish completion for pixdock\n${[...global, ...lines].join('\n')}\n`;
}

/** Options with fixed values; the same name means the same values everywhere. */
function uniqueChoices(commands: CompletedCommand[]) {
  const all = commands.flatMap(({ options }) => options).filter(({ choices }) => choices.length);
  return [...new Map(all.map((option) => [option.name, option])).values()];
}

function quote(text: string) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
