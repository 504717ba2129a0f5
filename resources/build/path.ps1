# Adds a folder to the Path variable of the user or the machine, or removes it. Entries with variables in them stay as they are.
param(
  [Parameter(Mandatory)][ValidateSet('add', 'remove')][string]$Action,
  [Parameter(Mandatory)][ValidateSet('user', 'machine')][string]$Scope,
  [Parameter(Mandatory)][string]$Folder
)
$ErrorActionPreference = 'Stop'

$key = if ($Scope -eq 'machine') {
  [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey('SYSTEM\CurrentControlSet\Control\Session Manager\Environment', $true)
} else {
  [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
}
try {
  $before = [string]$key.GetValue('Path', '', [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
  $kind = if ($key.GetValueNames() -contains 'Path') { $key.GetValueKind('Path') } else { [Microsoft.Win32.RegistryValueKind]::ExpandString }
  $entries = @($before -split ';' | Where-Object { $_ -and $_.TrimEnd('\') -ne $Folder.TrimEnd('\') })
  if ($Action -eq 'add') { $entries += $Folder }
  $key.SetValue('Path', ($entries -join ';'), $kind)
} finally {
  $key.Close()
}
