#pragma once
#include "cases/pipeline_runner.hpp"

#include <initializer_list>

namespace pipeline_runner {

/// One pipeline of a program that has several.
struct named_pipeline {
  const char* name;
  maker made;
};

/// As `main`, with the name of a pipeline in front of each folder.
int main_of_group(int argument_count, char** arguments, std::initializer_list<named_pipeline> pipelines);

}  // namespace pipeline_runner
