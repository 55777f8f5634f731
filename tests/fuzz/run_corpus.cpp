#include "fuzz/target.hpp"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include <unistd.h>

// usage: fuzz_NAME CORPUS [MUTATIONS [SEED]]: runs every file of the folder, then so many mutated ones. What breaks a
// promise is left in the file `broken-input` here.

namespace {

std::string running;

void keep_input(int signal) {
  // Only what is allowed in a signal handler.
  if (std::FILE* file = std::fopen("broken-input", "wb")) {
    std::fwrite(running.data(), 1, running.size(), file);
    std::fclose(file);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void run(std::string input) {
  running = std::move(input);
  // A copy of its exact size, so that a sanitizer sees a read behind it.
  const std::vector<std::uint8_t> exact(running.begin(), running.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

class mutator {
 public:
  mutator(const std::vector<std::string>& corpus, std::uint64_t seed) : corpus_(corpus), random_(seed) {}

  std::string next() {
    std::string made = one();
    for (std::uint64_t times = 1 + below(4); times > 0; --times) change(made);
    return made;
  }

 private:
  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_;

  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  const std::string& one() { return corpus_[below(corpus_.size())]; }
  std::size_t place(const std::string& in) { return below(in.size() + 1); }

  void change(std::string& text) {
    switch (below(7)) {
      case 0:
        if (!text.empty()) text[below(text.size())] = static_cast<char>(below(256));
        break;
      case 1:
        if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1U << below(8));
        break;
      case 2: text.erase(place(text), 1 + below(8)); break;
      case 3: text.resize(place(text)); break;
      case 4: {  // a piece of another one
        const std::string& other = one();
        const std::size_t begin = place(other);
        text.insert(place(text), other.substr(begin, 1 + below(64)));
        break;
      }
      case 5: {  // a piece of itself again
        const std::size_t begin = place(text);
        text.insert(place(text), text.substr(begin, 1 + below(32)));
        break;
      }
      default: {  // numbers at the ends of their ranges
        static constexpr const char* odd[] = {"0",
                                              "-1",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              "18446744073709551616",
                                              "1e999",
                                              "\"",
                                              "{",
                                              "]",
                                              "\\u0000",
                                              "\xff"};
        text.insert(place(text), odd[below(std::size(odd))]);
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS [MUTATIONS [SEED]]\n", argv[0]);
    return 2;
  }
  std::signal(SIGABRT, keep_input);
  std::signal(SIGSEGV, keep_input);
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(argv[1])) files.push_back(each.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const std::filesystem::path& each : files) {
    std::ifstream file(each, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    run(corpus.back());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: the corpus %s is empty\n", argv[0], argv[1]);
    return 2;
  }
  const std::int64_t mutations = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 0;
  mutator changed(corpus, argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  for (std::int64_t i = 0; i < mutations; ++i) run(changed.next());
  std::printf("%zu files and %" PRId64 " mutations: no promise broken\n", corpus.size(), mutations);
  return 0;
}
