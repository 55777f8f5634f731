#pragma once
#include <etlantic/tool/command_line.hpp>
#include <etlantic/tool/console.hpp>
#include <etlantic/tool/exit_code.hpp>

#include <string>

namespace etlantic {

/// `checkpoint inspect | verify | rewind | export` on a checkpoint directory. Only a confirmed rewind changes it.
exit_code run_checkpoint_command(const std::string& directory, const command_line& asked, const console& to);

}  // namespace etlantic
